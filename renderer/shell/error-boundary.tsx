import { Component, type ReactNode } from 'react';
import { Gone } from './gone.tsx';

interface SafetyNetProps {
  readonly children: ReactNode;
}

/**
 * Draws its children, or, once they have thrown, an offer to try again. React knows error boundaries as classes alone.
 */
export class SafetyNet extends Component<SafetyNetProps, { readonly hasFallen: boolean }> {
  override state = { hasFallen: false };

  static getDerivedStateFromError(): { readonly hasFallen: boolean } {
    return { hasFallen: true };
  }

  override render(): ReactNode {
    return this.state.hasFallen ? <Gone again={() => this.setState({ hasFallen: false })} /> : this.props.children;
  }
}
