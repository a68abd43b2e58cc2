/** Items and how many there are of each. */
export class Inventory {
  #counts = new Map();

  count(item) {
    return this.#counts.get(item) ?? 0;
  }

  put(item, count = 1) {
    this.#counts.set(item, this.count(item) + count);
  }

  /** Take some away; false, and nothing taken, when there are not enough. */
  async take(item, count = 1) {
    if (this.count(item) < count) return false;
    this.#counts.set(item, this.count(item) - count);
    return true;
  }
}
