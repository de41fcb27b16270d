// The parts of Web Serial and WebHID that a scanner needs, which TypeScript's own library does not describe
// (https://wicg.github.io/serial/, https://wicg.github.io/webhid/), and the timer that the readers wait with.

export interface SerialPortLike {
  /** Null when the port is closed or its device is gone; another stream after an error that the port survives. */
  readonly readable: ReadableStream<Uint8Array> | null;
  open(options: { readonly baudRate: number; readonly bufferSize?: number }): Promise<void>;
  setSignals(signals: { readonly dataTerminalReady?: boolean; readonly requestToSend?: boolean }): Promise<void>;
}

export interface HidReportItem {
  readonly usages?: readonly number[];
  readonly usageMinimum?: number;
  readonly usageMaximum?: number;
  readonly isRange?: boolean;
  /** In bits. */
  readonly reportSize?: number;
  readonly reportCount?: number;
}

export interface HidReport {
  readonly reportId?: number;
  readonly items?: readonly HidReportItem[];
}

export interface HidCollection {
  readonly usagePage?: number;
  readonly usage?: number;
  readonly children?: readonly HidCollection[];
  readonly inputReports?: readonly HidReport[];
  readonly featureReports?: readonly HidReport[];
}

export interface HidInputReportEvent extends Event {
  readonly reportId: number;
  readonly data: DataView;
}

export interface HidDeviceLike extends EventTarget {
  readonly vendorId: number;
  readonly collections: readonly HidCollection[];
  open(): Promise<void>;
  sendFeatureReport(reportId: number, data: BufferSource): Promise<void>;
}

export interface DeviceApis {
  readonly serial: { requestPort(): Promise<SerialPortLike> };
  readonly hid: EventTarget & {
    requestDevice(options: {
      readonly filters: readonly { readonly usagePage: number }[];
    }): Promise<readonly HidDeviceLike[]>;
  };
}

/** Time as the readers need it; in milliseconds. */
export interface ReaderTime {
  now(): number;
  /** Calls back once, unless the answered function is called first. */
  later(delayMs: number, callback: () => void): () => void;
}
