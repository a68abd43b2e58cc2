// The child's end of the private channel, for runners written in JavaScript.
'use strict';
const fs = require('node:fs');

const VARIABLE = 'TESTWRIGHT_CHANNEL';
const TEXT_LIMIT = 65536;

let opened;

class Channel {
  constructor() {
    this.descriptor = Number(process.env[VARIABLE]);
    // What the tests start must not know of the channel.
    delete process.env[VARIABLE];
    this.sent = 0;
    const { nonce, ...config } = JSON.parse(this.#greeting());
    this.nonce = nonce;
    this.config = config;
  }

  #greeting() {
    const chunks = [];
    const buffer = Buffer.alloc(1 << 16);
    for (;;) {
      const size = fs.readSync(this.descriptor, buffer, 0, buffer.length, null);
      if (size === 0) throw new Error('the other end of the result channel is gone');
      chunks.push(Buffer.from(buffer.subarray(0, size)));
      if (buffer[size - 1] === 0x0a) return Buffer.concat(chunks).toString('utf8');
    }
  }

  send(kind, fields = {}) {
    this.sent += 1;
    const line = JSON.stringify({ nonce: this.nonce, seq: this.sent, kind, ...fields }) + '\n';
    let data = Buffer.from(line, 'utf8');
    while (data.length > 0) {
      try {
        data = data.subarray(fs.writeSync(this.descriptor, data));
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  }
}

/** The one channel of this process; null when no process listens. */
function openChannel() {
  if (opened === undefined) opened = process.env[VARIABLE] ? new Channel() : null;
  return opened;
}

/** `text`, or its start and end where it is too long to send. */
function clipped(text, limit = TEXT_LIMIT) {
  const whole = String(text ?? '');
  if (whole.length <= limit) return whole;
  const half = limit >> 1;
  return `${whole.slice(0, half)}\n[… ${whole.length - 2 * half} characters not kept …]\n${whole.slice(-half)}`;
}

module.exports = { openChannel, clipped };
