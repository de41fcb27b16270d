export interface SectionProps {
  /** Whether the manager's part is shown, too: always, unless the settings are locked and nobody has asked for it. */
  readonly isShowingAll: boolean;
}
