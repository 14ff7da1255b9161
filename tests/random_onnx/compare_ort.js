// compare_ort.js ORT_FOLDER FOLDER...: runs the models below each FOLDER (backend-test folders, as `tenon_random_onnx --write` makes
// them) in ONNX Runtime, and prints those whose outputs are not the stored ones. ORT_FOLDER: where node finds onnxruntime-node.
// Beside output_K.pb lies spread_K.pb: how far rounding alone can move each element (NaN: anywhere).
// --all prints what was not run, too. Exit status 1 where something differs.
const fs = require('fs'), path = require('path');
const args = process.argv.slice(2);
const all = args[0] === '--all' && args.shift(), worker = args[0] === '--work' && args.shift();
const [where, ...roots] = args;
if (!roots.length && !worker) {
  console.error('usage: node compare_ort.js [--all] ORT_FOLDER FOLDER...');
  process.exit(2);
}
const ort = require(require.resolve('onnxruntime-node', { paths: [where] }));

// Differences that are not ours to mend: a model with this in its text (nodes, types) may differ, for the reason that is given.
const rules = require('./ort_rules.js');

// -- TensorProto: dims 1, data_type 2, raw_data 9.
function decode(bytes) {
  let at = 0, type = 0, raw = Buffer.alloc(0);
  const dims = [];
  const varint = () => {
    let v = 0n, shift = 0n, b;
    do v |= BigInt((b = bytes[at++]) & 127) << shift, shift += 7n; while (b & 128);
    return v;
  };
  while (at < bytes.length) {
    const key = Number(varint()), field = key >> 3, wire = key & 7;
    if (wire === 0) {
      const v = varint();
      if (field === 1) dims.push(Number(v));
      if (field === 2) type = Number(v);
    } else if (wire === 2) {
      const n = Number(varint()), part = bytes.subarray(at, at += n);
      if (field === 9) raw = part;
      if (field === 1) for (let i = 0; i < part.length;) {
        let v = 0, shift = 0, b;
        do v += ((b = part[i++]) & 127) * 2 ** shift, shift += 7; while (b & 128);
        dims.push(v);
      }
    } else at += wire === 5 ? 4 : 8;
  }
  return { type, dims, raw };
}
const types = { 1: ['float32', Float32Array], 2: ['uint8', Uint8Array], 3: ['int8', Int8Array], 4: ['uint16', Uint16Array], 5: ['int16', Int16Array],
  6: ['int32', Int32Array], 7: ['int64', BigInt64Array], 9: ['bool', Uint8Array], 10: ['float16', Uint16Array], 11: ['float64', Float64Array],
  12: ['uint32', Uint32Array], 13: ['uint64', BigUint64Array] };
const read = file => decode(fs.readFileSync(file));
const elements = t => {
  const type = types[t.type];
  if (!type) throw Error(`element type ${t.type} is not one that node has`);
  return new type[1](Uint8Array.from(t.raw).buffer);
};
const half = bits => {
  const sign = bits >> 15 ? -1 : 1, e = bits >> 10 & 31, f = bits & 1023;
  return e === 31 ? (f ? NaN : sign * Infinity) : sign * (e ? 2 ** (e - 15) * (1 + f / 1024) : f / 1024 * 2 ** -14);
};
const units = { 1: 2 ** -24, 10: 2 ** -11, 11: 2 ** -53 };

// In words, or nothing.
function difference(name, got, want, spread) {
  const type = types[want.type];
  if (got.type !== type[0]) return `${name} is ${got.type}, not ${type[0]}`;
  const moves = elements(spread);
  if (got.dims.join() !== want.dims.join()) return moves.length && Number.isNaN(moves[0]) ? undefined : `${name} is [${got.dims}], not [${want.dims}]`;
  const a = got.data, b = elements(want), number = want.type === 10 && b instanceof Uint16Array ? half : Number;
  const unit = 128 * (units[want.type] ?? 0);
  let largest = 0;
  if (unit) for (const v of b) if (Number.isFinite(number(v))) largest = Math.max(largest, Math.abs(number(v)));
  for (let i = 0; i < b.length; ++i) {
    if (a[i] === b[i] || Number.isNaN(moves[i])) continue;
    const got_number = want.type === 10 && a instanceof Uint16Array ? half(a[i]) : Number(a[i]);
    const x = got_number, y = number(b[i]);
    if (unit && (x === y || Number.isNaN(x) && Number.isNaN(y))) continue;
    if (unit && Math.abs(x - y) <= Math.max(unit * Math.max(largest, unit), 16 * moves[i])) continue;
    return `${name}: element ${i} is ${x}, not ${y} (rounding moves it by ${moves[i].toPrecision(2)})`;
  }
}

async function check(dir) {
  // Our names in the order of the model's text; those of ONNX Runtime are in the same order.
  const session = await ort.InferenceSession.create(path.join(dir, 'model.onnx'), { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4, graphOptimizationLevel: 'disabled' });
  try {
    for (const set of fs.readdirSync(dir).filter(f => f.startsWith('test_data_set_')).sort()) {
      const of = (prefix, k) => path.join(dir, set, `${prefix}_${k}.pb`);
      const feeds = {};
      session.inputNames.forEach((name, k) => {
        const t = read(of('input', k));
        if (!types[t.type]) throw Error(`element type ${t.type} is not one that node has`);
        feeds[name] = new ort.Tensor(types[t.type][0], elements(t), t.dims);
      });
      const results = await session.run(feeds);
      for (const [k, name] of session.outputNames.entries()) {
        const how = difference(name, results[name], read(of('output', k)), read(of('spread', k)));
        if (how) return `${set}: ${how}`;
      }
    }
  } finally {
    await session.release();
  }
}

// Folders in a process of their own: ONNX Runtime may end it. A line for each that begins and ends.
async function work(dirs) {
  for (const dir of dirs) {
    let how, kind = 'same';
    fs.writeSync(1, `begin\t${dir}\n`);
    try {
      how = await check(dir);
      if (how) kind = 'differs';
    } catch (e) {
      how = String(e.message ?? e).split('\n')[0], kind = 'not run';
    }
    fs.writeSync(1, `end\t${kind}\t${how ?? ''}\n`);
  }
}

// Is the difference, as it is reported, within this part of the number, or of 1?
const is_near = (how, part) => {
  const numbers = /is (\S+), not (\S+) /.exec(how);
  return numbers && Math.abs(numbers[1] - numbers[2]) <= part * Math.max(1, Math.abs(numbers[2]));
};

function main() {
  const count = { same: 0, known: 0, 'not run': 0, crashes: 0, differs: 0 };
  const tell = (dir, kind, how) => {
    const text = how ? fs.readFileSync(path.join(dir, 'model.txt'), 'utf8') : '';
    const rule = kind === 'differs' && rules.find(r => r.model.test(text) && (!r.says || r.says.test(how)) && (!r.needs || r.needs.test(text) || r.needs.test(how.toLowerCase())) && (!r.near || is_near(how, r.near)));
    if (rule) kind = 'known';
    ++count[kind];
    if (kind === 'differs' || all && how) console.log(`${kind}: ${dir}: ${how}${rule ? ` (${rule.why})` : ''}`);
  };
  const dirs = roots.flatMap(root => fs.existsSync(path.join(root, 'model.onnx')) ? [root] : fs.readdirSync(root).sort().map(f => path.join(root, f)).filter(f => fs.existsSync(path.join(f, 'model.onnx'))));
  for (let done = 0; done < dirs.length;) {
    const batch = dirs.slice(done, done + 500);
    const ran = require('child_process').spawnSync(process.execPath, [__filename, '--work', where], { input: batch.join('\n'), maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'], timeout: 600000 });
    let dir;
    for (const line of ran.stdout.toString().split('\n')) {
      const [key, ...rest] = line.split('\t');
      if (key === 'begin') dir = rest[0];
      if (key === 'end') tell(dir, rest[0], rest.slice(1).join(' ')), dir = undefined, ++done;
    }
    if (dir) tell(dir, 'crashes', `ONNX Runtime ended its process (${ran.signal ?? ran.status})`), ++done;
    else if (ran.status !== 0) throw Error(`the worker ended with ${ran.signal ?? ran.status}`);
  }
  console.log(Object.entries(count).map(([k, n]) => `${n} ${k}`).join(', '));
  process.exitCode = count.differs ? 1 : 0;
}

if (worker) work(fs.readFileSync(0, 'utf8').split('\n').filter(d => d));
else main();
