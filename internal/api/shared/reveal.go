package shared

import "github.com/tidemark-metrics/tidemark"

// RevealService shows the secrets of a service to those who may see them.
// Roles that are not listed see masks.
func RevealService(who tidemark.Identity, v *tidemark.Service) {
	if who.SeesSecrets() {
		v.Reveal()
	}
}

// RevealAlert is RevealService for the services of an alert.
func RevealAlert(who tidemark.Identity, v *tidemark.Alert) {
	for _, s := range v.Services {
		RevealService(who, s)
	}
}
