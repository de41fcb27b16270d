import type { DeviceApis, HidDeviceLike, HidInputReportEvent } from './device-apis.ts';
import { createHidAssembly, scanLayouts } from './hid-report.ts';
import type { ReaderListener } from './serial-reader.ts';

/** Honeywell's scanners send scans to a host that has asked for them by this feature report, where they have it. */
const askingReport = { id: 0xfe, vendors: new Set([0x0c2e, 0x23d0]), data: [1] } as const;

/**
 * Opens the device and reads it from then on. Answers false for what is no HID point-of-sale scanner; rejects when the
 * system does not let it be opened.
 */
export async function openHidReader(
  hid: DeviceApis['hid'],
  device: HidDeviceLike,
  { onReading, onClosed }: ReaderListener,
): Promise<boolean> {
  const layouts = scanLayouts(device.collections);
  if (layouts.length === 0) {
    return false;
  }
  const assembly = createHidAssembly(layouts);
  await device.open();
  device.addEventListener('inputreport', (event) => {
    const { reportId, data } = event as HidInputReportEvent;
    const reading = assembly.take(reportId, data);
    if (reading !== null) {
      onReading(reading);
    }
  });
  hid.addEventListener('disconnect', (event) => {
    if ((event as Event & { readonly device?: unknown }).device === device) {
      onClosed();
    }
  });
  const hasAskingReport = device.collections.some(({ featureReports = [] }) =>
    featureReports.some(({ reportId }) => reportId === askingReport.id),
  );
  if (hasAskingReport && askingReport.vendors.has(device.vendorId)) {
    await device.sendFeatureReport(askingReport.id, Uint8Array.from(askingReport.data)).catch(() => undefined);
  }
  return true;
}
