/** Why the app cannot start: the name of a sentence in words.*.json. */
export type StartErrorReason =
  | 'foreignFolder'
  | 'networkFolder'
  | 'openFolder'
  | 'openParent'
  | 'practiceGone'
  | 'statusInside'
  | 'syncedFolder'
  | 'temporaryFolder'
  | 'tooLongFolder'
  | 'unclosedFolder';

/** Thrown at a start; `describeStartError` has its sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly reason: StartErrorReason;

  constructor(reason: StartErrorReason) {
    super(reason);
    this.reason = reason;
  }
}
