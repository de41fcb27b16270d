/**
 * Whether all is played, as each night and before a release: `npm run test:night` says so. By day, what searches for faults
 * and what proves one thing under many conditions plays a share.
 */
export const isNight = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_NIGHT']);

/** All of these at night, and the first `byDay` by day. */
export const shareOf = <Row>(rows: readonly Row[], byDay: number): readonly Row[] =>
  isNight ? rows : rows.slice(0, byDay);
