// peer.js ORT_FOLDER MODEL_FOLDER THREADS: median and least milliseconds of ONNX Runtime on a model's first input set.
const fs = require('fs'), path = require('path'), read_npy = require('./npy.js');
const [folder, dir, threads] = process.argv.slice(2);
const ort = require(require.resolve('onnxruntime-node', { paths: [folder] }));

(async () => {
  const set = JSON.parse(fs.readFileSync(path.join(dir, 'meta.json'))).sets[0];
  const session = await ort.InferenceSession.create(path.join(dir, 'model.onnx'),
    { intraOpNumThreads: +threads, interOpNumThreads: 1, logSeverityLevel: 3 });
  const feeds = {};
  for (const name in set.inputs) feeds[name] = read_npy(ort, path.join(dir, set.dir, set.inputs[name].file));
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
