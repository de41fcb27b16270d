/** In millimetres, or a sheet of A4 with three by eight labels. */
export const labelSizes = ['40x25', '50x30', '60x40', '100x50', 'a4'] as const;
export const maxLabelCopies = 200;
/** Labels that a printer is handed at once: after each such part it says that it took all of it. */
export const maxLabelsAtOnce = 10;
/** Products whose labels one call reads. */
export const maxReadAtOnce = 100;
