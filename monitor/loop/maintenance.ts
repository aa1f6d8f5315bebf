/** A period in which findings do not count. Probing continues, so that recovery is visible. Milliseconds since 1970. */
export interface Window {
  readonly from: number;
  readonly until: number;
  readonly note?: string;
}

/** The first maintenance that overlaps the time between two instants of the wall clock. */
export const maintenanceIn = (
  windows: readonly Window[] = [],
  from: number,
  to = from,
): Window | undefined => windows.find((window) => window.from <= to && from < window.until);
