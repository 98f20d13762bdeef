/* Runs the module of tests/web/speed.c: node tests/web/speed.js MODULE NAME... */
import { readFileSync, writeSync } from "node:fs";

const words = process.argv.slice(2).map((word) => Buffer.from(`${word}\0`));
const view = () => new DataView(instance.exports.memory.buffer);

/** What the program imports: its words, a clock, and a stream to print to. */
const wasi_snapshot_preview1 = {
  args_sizes_get(count, size) {
    view().setUint32(count, words.length, true);
    view().setUint32(size, words.reduce((sum, word) => sum + word.length, 0), true);
    return 0;
  },
  args_get(pointers, texts) {
    for (const word of words) {
      view().setUint32(pointers, texts, true);
      new Uint8Array(instance.exports.memory.buffer).set(word, texts);
      pointers += 4, texts += word.length;
    }
    return 0;
  },
  clock_time_get(clock, precision, at) {
    view().setBigUint64(at, process.hrtime.bigint(), true);
    return 0;
  },
  fd_write(stream, parts, n, written) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const [from, size] = [view().getUint32(parts + 8 * i, true), view().getUint32(parts + 8 * i + 4, true)];
      if (size) sum += writeSync(stream, Buffer.from(instance.exports.memory.buffer, from, size));
    }
    view().setUint32(written, sum, true);
    return 0;
  },
  fd_close: () => 8,
  fd_seek: () => 8,
  proc_exit(code) { process.exit(code); },
};
const env = { emscripten_asm_const_int: () => 0, emscripten_notify_memory_growth() {} };
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env, wasi_snapshot_preview1 });
instance.exports._start();
