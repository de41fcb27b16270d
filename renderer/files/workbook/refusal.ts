/** Why a workbook is not read. */
export type WorkbookFault = 'tooLarge' | 'unreadable';

/** Ends the reading of a workbook from within its streams; `readWorkbook` turns it into a value. */
export class Refusal extends Error {
  readonly fault: WorkbookFault;

  constructor(fault: WorkbookFault) {
    super(fault);
    this.fault = fault;
  }
}
