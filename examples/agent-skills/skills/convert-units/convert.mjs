const METRES = { m: 1, km: 1000, ft: 0.3048, mi: 1609.344 };

/** `value` of one unit in another. */
export function convert(value, from, to) {
  for (const unit of [from, to]) {
    if (!Object.hasOwn(METRES, unit)) throw new RangeError(`unknown unit: ${unit}`);
  }
  return (value * METRES[from]) / METRES[to];
}
