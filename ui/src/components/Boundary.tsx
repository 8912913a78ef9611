import { Component, type ReactNode } from "react";

type Props = {
  /** Another one has what crashed tried again. */
  round: unknown;
  fallback: ReactNode;
  children: ReactNode;
};
type State = { failed: boolean; round: unknown };

/** Shows something else in place of what crashes, and leaves all around it alone. */
export class Boundary extends Component<Props, State> {
  override state: State = { failed: false, round: this.props.round };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ round }: Props, state: State): State | null {
    return round === state.round ? null : { failed: false, round };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
