import { Component, type ReactNode } from 'react';
import { Gone } from './gone.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/**
 * Draws its children, or, once they have thrown, an offer to try again. React knows error boundaries as classes alone.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError(): { readonly hasCrashed: boolean } {
    return { hasCrashed: true };
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? <Gone again={() => this.setState({ hasCrashed: false })} /> : this.props.children;
  }
}
