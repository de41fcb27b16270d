import type { ReactElement, ReactNode } from 'react';

interface IconProps {
  readonly size?: number;
}

function Line({ size = 24, children }: IconProps & { readonly children: ReactNode }): ReactElement {
  return (
    <svg
      aria-hidden="true"
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.9}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

const drawing =
  (children: ReactNode) =>
  (props: IconProps): ReactElement => <Line {...props}>{children}</Line>;

export const ArrowIcon = drawing(<path d="M12 20V4M6 10l6-6 6 6" />);
export const ScanIcon = drawing(
  <path d="M3 8V5a2 2 0 0 1 2-2h3M16 3h3a2 2 0 0 1 2 2v3M21 16v3a2 2 0 0 1-2 2h-3M8 21H5a2 2 0 0 1-2-2v-3M7 8v8M10.5 8v8M14 8v8M17 8v8" />,
);
export const StockIcon = drawing(
  <>
    <path d="M4 3v18M20 3v18M4 11h16M4 19h16" />
    <path d="M7.5 11V6.5h4V11M13.5 19v-5h3.5v5M7.5 19v-3.5h3V19" />
  </>,
);
export const CountIcon = drawing(
  <>
    <path d="M9 4H6a1 1 0 0 0-1 1v15a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V5a1 1 0 0 0-1-1h-3" />
    <path d="M9 3h6v3.5H9ZM8.5 13l2.5 2.5 4.5-5" />
  </>,
);
export const HelpIcon = drawing(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.4 9.3a2.7 2.7 0 1 1 3.9 2.4c-.8.4-1.3 1-1.3 2.1M12 17h.01" />
  </>,
);
export const CopyIcon = drawing(
  <path d="M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM16 9V4a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3" />,
);
export const SortIcon = drawing(<path d="M8 10l4-4 4 4M8 14l4 4 4-4" />);
export const SortedIcon = drawing(<path d="M7 14l5-5 5 5" />);
export const FilterIcon = drawing(<path d="M4 6h16M7 12h10M10 18h4" />);
export const SearchIcon = drawing(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
);
export const DownloadIcon = drawing(<path d="M12 4v11M7.5 10.5 12 15l4.5-4.5M5 20h14" />);
export const UploadIcon = drawing(<path d="M12 15V4M7.5 8.5 12 4l4.5 4.5M5 20h14" />);
export const CouponIcon = drawing(
  <>
    <path d="M4 5h16a1 1 0 0 1 1 1v3.5a2.5 2.5 0 0 0 0 5V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-3.5a2.5 2.5 0 0 0 0-5V6a1 1 0 0 1 1-1Z" />
    <path d="M14.5 9.5l-5 5M9.6 9.6h.01M14.4 14.4h.01" />
  </>,
);
export const QueueIcon = drawing(
  <>
    <path d="M4 6h10M4 12h7M4 18h7" />
    <path d="M17 10v10M13.5 13.5 17 10l3.5 3.5" />
  </>,
);
export const SettingsIcon = drawing(
  <>
    <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
    <circle cx="16" cy="7" r="2.6" />
    <circle cx="8" cy="17" r="2.6" />
  </>,
);
export const UserIcon = drawing(
  <>
    <circle cx="10" cy="8" r="3.6" />
    <path d="M3.5 20a6.5 6.5 0 0 1 11-4.7M20.5 15.5v3a2 2 0 0 1-2 2H15M17.5 18 15 20.5l2.5 2.5" />
  </>,
);
export const OnlineIcon = drawing(
  <path d="M5 12.5a10 10 0 0 1 14 0M8 15.8a5.6 5.6 0 0 1 8 0M2.5 9.2a14 14 0 0 1 19 0M12 19.2h.01" />,
);
export const OfflineIcon = drawing(
  <path d="M8 15.8a5.6 5.6 0 0 1 8 0M5 12.5a10 10 0 0 1 4-2.3M19 12.5a10 10 0 0 0-3-2M12 19.2h.01M4 4l16 16" />,
);
export const WarningIcon = drawing(
  <>
    <path d="M12 4 2.8 19.5h18.4L12 4Z" />
    <path d="M12 10v4.5M12 17.2h.01" />
  </>,
);
export const CheckIcon = drawing(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const CrossIcon = drawing(<path d="M6 6l12 12M18 6 6 18" />);
export const ClockIcon = drawing(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
export const CalendarIcon = drawing(<path d="M5 5h14v15H5zM5 10h14M9 3v4M15 3v4" />);
export const RefreshIcon = drawing(
  <path d="M20 11a8 8 0 0 0-14-4.5L4 8.5M4 4v4.5h4.5M4 13a8 8 0 0 0 14 4.5l2-2M20 20v-4.5h-4.5" />,
);
export const StoreIcon = drawing(
  <path d="M4 10v9a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-9M3 8.5 5 4h14l2 4.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0ZM10 20v-5h4v5" />,
);
export const LinkIcon = drawing(
  <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7" />,
);
export const CopyingIcon = drawing(
  <path d="M12 3v11M7.5 10 12 14.5 16.5 10M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2" />,
);
export const UnreadableIcon = drawing(<path d="M5 6v12M8.5 6v12M12 6v5M12 15.5V18M15.5 6v12M19 6v12M3 13.2h18" />);
export const PrintIcon = drawing(
  <path d="M7 9V4h10v5M7 17H5a1 1 0 0 1-1-1v-5a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v5a1 1 0 0 1-1 1h-2M7 14h10v6H7ZM16.5 11.8h.01" />,
);
export const ListIcon = drawing(<path d="M9 6l6 6-6 6" />);
export const LockIcon = drawing(
  <>
    <rect x="5" y="11" width="14" height="9.5" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3M12 15v2" />
  </>,
);
export const BackspaceIcon = drawing(
  <path d="M9 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-6-7 6-7ZM11.5 9.5l5 5M16.5 9.5l-5 5" />,
);
export const UnlockedIcon = drawing(
  <>
    <rect x="5" y="11" width="14" height="9.5" rx="2" />
    <path d="M8 11V7a4 4 0 0 1 7.6-1.7M12 15v2" />
  </>,
);
export const ChevronIcon = drawing(<path d="M6 9l6 6 6-6" />);
export const SignOutIcon = drawing(
  <path d="M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h10M16.5 8.5L20 12l-3.5 3.5" />,
);
export const MinusIcon = drawing(<path d="M6 12h12" />);

/**
 * Bars of a barcode, the last of which is an i, for "information beside the till": the drawing of assets/icons/icon.svg
 * without its tile.
 */
export function Mark({ size = 36 }: IconProps): ReactElement {
  return (
    <svg aria-hidden="true" className="icon" width={size} height={size} viewBox="5.4 5.4 21.2 21.2">
      <g fill="var(--mark-bars)">
        <rect x="6.4" y="7.4" width="2.8" height="17.2" rx=".9" />
        <rect x="11" y="7.4" width="1.5" height="17.2" rx=".75" />
        <rect x="14.3" y="7.4" width="3.7" height="17.2" rx=".9" />
      </g>
      <circle cx="23.2" cy="9.8" r="2.4" fill="var(--mark-dot)" />
      <rect x="20.8" y="13.8" width="4.8" height="10.8" rx="1.2" fill="var(--mark-dot)" />
    </svg>
  );
}
