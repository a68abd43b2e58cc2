// What a test file prints: passed on at once, and its start and end kept for the report.

export class Printed {
  #limit;
  #head = '';
  #tail = '';
  #length = 0;

  /** Listen in on `stream`, keeping at most `limit` characters of each file's output. */
  constructor(stream, limit) {
    this.#limit = limit >> 1;
    const write = stream.write;
    stream.write = (chunk, ...rest) => {
      this.#keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk ?? '').toString('utf8'));
      return write.call(stream, chunk, ...rest);
    };
  }

  #keep(text) {
    this.#length += text.length;
    const room = this.#limit - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-this.#limit);
  }

  /** What was printed since the last call. */
  take() {
    const dropped = this.#length - this.#head.length - this.#tail.length;
    const gap = dropped > 0 ? `\n[… ${dropped} characters not kept …]\n` : '';
    const text = this.#head + gap + this.#tail;
    this.#head = this.#tail = '';
    this.#length = 0;
    return text;
  }
}
