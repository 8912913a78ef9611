package tidemark

// ActorKind is what kind of actor somebody is.
type ActorKind string

// The kinds of actors.
const (
	ByUser   ActorKind = "user"
	ByToken  ActorKind = "token"
	ByCLI    ActorKind = "cli"    // a command of the operator
	ByServer ActorKind = "server" // the server itself, by its settings
	// ByBootstrap is the first start of a server, which makes its first token.
	ByBootstrap ActorKind = "bootstrap"
	// ByVisitor is somebody who is not authenticated: anyone who tries to
	// sign in, or asks for a new password.
	ByVisitor ActorKind = "visitor"
	// ByLink is anyone who follows a link that a notification carried, without
	// being signed in.
	ByLink ActorKind = "link in notification"
)

// Actor is who asks for a change: a person, a token, a command or the server
// itself. Every method of the store by which one of them changes something
// takes one, so that a change without an actor does not compile. The
// zero Actor may change nothing.
type Actor struct {
	Kind    ActorKind
	Name    string // the person's e-mail address or the token's name
	Address string // where the request came from; "" for the server itself and for commands
	// Seen is the number of the version that they changed. Where there is a
	// later one the change is refused; 0 changes whatever there is.
	Seen int64
}

// ServerActor is the actor of what the server does by itself.
func ServerActor() Actor { return Actor{Kind: ByServer} }

// VisitorActor is the actor of somebody at an address who is not signed in.
func VisitorActor(address string) Actor { return Actor{Kind: ByVisitor, Address: address} }

// LinkActor is the actor of somebody at an address who followed the link of a
// notification.
func LinkActor(address string) Actor { return Actor{Kind: ByLink, Address: address} }

// PersonActor is the actor of a person with an e-mail address.
func PersonActor(email, address string) Actor {
	return Actor{Kind: ByUser, Name: email, Address: address}
}

// String is how the audit log names a.
func (a Actor) String() string {
	if a.Kind == ByUser || a.Kind == ByToken {
		return string(a.Kind) + ":" + a.Name
	}
	return string(a.Kind)
}

// Actor is who the identity acts as.
func (who Identity) Actor() Actor {
	switch {
	case who.User != 0:
		return Actor{Kind: ByUser, Name: who.Name, Address: who.Address}
	case who.Token != 0:
		return Actor{Kind: ByToken, Name: who.Name, Address: who.Address}
	case who.Name == string(ByServer):
		return ServerActor()
	}
	return Actor{Kind: ByCLI, Name: who.Name} // commands come from this machine
}
