// beside.js TOOL ORT_FOLDER [NAME...]: each operator that `TOOL onnx-table` lists, as a model of one at three sizes,
// with tenon and with ONNX Runtime, each on one thread and alternately: the least milliseconds of two rounds of each,
// and how many times as fast tenon is, as a Markdown table, and behind it the operators that are not measured, as they
// want operands that operators.js does not give. NAME: operators whose names begin so; SIZES=1 in the environment: the
// middle size alone. ORT_FOLDER is where `npm install onnxruntime-node` was run; its times hold what a call from
// JavaScript costs, some 20 µs.
const fs = require('fs'), os = require('os'), path = require('path'), { execFileSync } = require('child_process');
const { model, arrays } = require('./onnx.js'), measured = require('./operators.js');
const [tool, folder, ...names] = process.argv.slice(2);
const ort = require(require.resolve('onnxruntime-node', { paths: [folder] }));
const ort_types = { bool: 'bool', f32: 'float32', u8: 'uint8', i64: 'int64', i32: 'int32', i8: 'int8' };
const npy_types = { bool: '|b1', f32: '<f4', u8: '|u1', i64: '<i8', i32: '<i4', i8: '|i1' };
const element_of = { f32: (k) => (k * 7919 % 2003) / 1000 - 1, i64: (k) => BigInt(k % 251), bool: (k) => k % 3 & 1 };
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'operators-'));
const run = (...given) => execFileSync(tool, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

// The names in the table's section of ai.onnx.
function imported() {
  const section = run('onnx-table').split('\n## ').find((part) => /^(## )?ai\.onnx\n/.test(part));
  return [...section.matchAll(/^\| ([A-Z]\w*) \|/gm)].map((m) => m[1]);
}
// An operator with the first of the usual operands that both sides take; null where there are none.
async function fitting(o) {
  if (!o.usual) return o;
  for (const given of o.usual) {
    const file = path.join(scratch, 'try.onnx'), operands = given.operands(0);
    fs.writeFileSync(file, model({ ...o, ...given, operands }));
    try {
      await peer(file, operands, 0);
      run('build', file, '-o', path.join(scratch, 'try.program'), '--threads', '1', '--no-cache');
      return { ...o, ...given };
    } catch { /* others may fit */ }
  }
  return null;
}

// What both sides are given for the operands that are inputs.
function inputs_of(operands) {
  const inputs = {};
  operands.forEach((o, i) => {
    if (!o || o.data) return;
    const n = o.shape.reduce((a, b) => a * b, 1), type = o.type || 'f32';
    const element = element_of[type] || ((k) => k % 251);
    inputs[`x${i}`] = { type, shape: o.shape, data: arrays[type].from({ length: n }, (_, k) => element(k)) };
  });
  return inputs;
}
async function peer(file, operands, milliseconds = 250) {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 };
  const session = await ort.InferenceSession.create(file, options);
  const feeds = {};
  for (const [name, { type, shape, data }] of Object.entries(inputs_of(operands)))
    feeds[name] = new ort.Tensor(ort_types[type], data, shape);
  for (let i = 0; i < 5; ++i) await session.run(feeds);
  let least = Infinity;
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    const begin = process.hrtime.bigint();
    await session.run(feeds);
    least = Math.min(least, Number(process.hrtime.bigint() - begin) / 1e6);
  }
  await session.release();
  return least;
}
function write_npy(file, { type, shape, data }) {
  const extents = shape.map((d) => `${d},`).join('');
  const said = `{'descr': '${npy_types[type]}', 'fortran_order': False, 'shape': (${extents}), }`;
  const header = Buffer.from(said.padEnd(Math.ceil((said.length + 11) / 64) * 64 - 11) + '\n');
  const begin = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  fs.writeFileSync(file, Buffer.concat([begin, header, Buffer.from(data.buffer)]));
}
function ours(program, operands) {
  const given = Object.entries(inputs_of(operands)).flatMap(([name, input]) => {
    write_npy(path.join(scratch, `${name}.npy`), input);
    return ['--input', `${name}=${path.join(scratch, `${name}.npy`)}`];
  });
  const said = run('run', program, '--bench', '--threads', '1', ...given).match(/least ([0-9.]+) (ms|µs|us|s)/);
  return said[1] * { ms: 1, s: 1e3, 'µs': 1e-3, us: 1e-3 }[said[2]];
}
const spelled = (ms) => (ms < 0.1 ? ms.toFixed(4) : ms < 10 ? ms.toFixed(3) : ms.toFixed(1));

(async () => {
  const day = new Date().toISOString().slice(0, 10);
  console.log(`${os.cpus()[0].model}, one thread, ${day}; ms of tenon / ONNX Runtime, and how many times as fast\n`);
  const sizes = process.env.SIZES ? process.env.SIZES.split(',').map(Number) : [0, 1, 2];
  console.log(`| operator | ${sizes.map((s) => ['small', 'middle', 'large'][s]).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(sizes.length)}`);
  const left = [];
  const is_asked = (t) => names.length === 0 || names.some((n) => t.name.startsWith(n));
  for (const named of measured(imported()).filter(is_asked)) {
    const cells = [], o = await fitting(named);
    if (!o) {
      left.push(named.name);
      continue;
    }
    for (const size of sizes) {
      const operands = o.operands(size);
      const file = path.join(scratch, 'one.onnx'), program = path.join(scratch, 'one.program');
      const attributes = typeof o.attributes === 'function' ? o.attributes(size) : o.attributes;
      fs.writeFileSync(file, model({ ...o, operands, attributes }));
      let a = Infinity, b = Infinity;
      try {
        run('build', file, '-o', program, '--threads', '1', '--no-cache');
        for (let round = 0; round < 2; ++round) {
          a = Math.min(a, ours(program, operands));
          b = Math.min(b, await peer(file, operands));
        }
        cells.push(`${spelled(a)} / ${spelled(b)}, ${(b / a).toFixed(2)}`);
      } catch (e) {
        cells.push(`- (${String(e.message).split('\n')[0].slice(0, 60)})`);
      }
    }
    console.log(`| ${o.name} | ${cells.join(' | ')} |`);
  }
  if (left.length) console.log(`\nNot measured: ${left.join(', ')}.`);
  fs.rmSync(scratch, { recursive: true });
})();
