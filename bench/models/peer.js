// peer.js ORT_FOLDER MODEL_FOLDER THREADS: median and least milliseconds of ONNX Runtime on a model's first input set.
const fs = require('fs'), path = require('path');
const [folder, dir, threads] = process.argv.slice(2);
const ort = require(require.resolve('onnxruntime-node', { paths: [folder] }));

function npy(file) {
  const bytes = fs.readFileSync(file), length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString();
  const kind = /'descr': '(.*?)'/.exec(header)[1];
  const shape = /\((.*?)\)/.exec(header)[1].split(',').filter(s => s.trim()).map(Number);
  const data = Uint8Array.from(bytes.subarray(10 + length)).buffer;
  const types = { '<f4': ['float32', Float32Array], '<f8': ['float64', Float64Array], '<i8': ['int64', BigInt64Array],
                  '<i4': ['int32', Int32Array], '|u1': ['uint8', Uint8Array], '|b1': ['bool', Uint8Array] };
  const [type, array] = types[kind];
  return new ort.Tensor(type, new array(data), shape);
}

(async () => {
  const set = JSON.parse(fs.readFileSync(path.join(dir, 'meta.json'))).sets[0];
  const session = await ort.InferenceSession.create(path.join(dir, 'model.onnx'),
    { intraOpNumThreads: +threads, interOpNumThreads: 1, logSeverityLevel: 3 });
  const feeds = {};
  for (const name in set.inputs) feeds[name] = npy(path.join(dir, set.dir, set.inputs[name].file));
  for (let i = 0; i < 5; ++i) await session.run(feeds);
  const times = [], end = Date.now() + 1000;
  while (Date.now() < end || times.length < 5) {
    const begin = process.hrtime.bigint();
    await session.run(feeds);
    times.push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
  times.sort((a, b) => a - b);
  console.log(times[times.length >> 1].toFixed(3), times[0].toFixed(3));
})();
