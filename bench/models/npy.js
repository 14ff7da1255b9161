// npy.js: a .npy file as a tensor of ONNX Runtime's.
const fs = require('fs');

const types = { '<f4': ['float32', Float32Array], '<f8': ['float64', Float64Array], '<i8': ['int64', BigInt64Array],
                '<i4': ['int32', Int32Array], '|u1': ['uint8', Uint8Array], '|b1': ['bool', Uint8Array] };

module.exports = function read_npy(ort, file) {
  const bytes = fs.readFileSync(file), length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString();
  const kind = /'descr': '(.*?)'/.exec(header)[1];
  const shape = /\((.*?)\)/.exec(header)[1].split(',').filter(s => s.trim()).map(Number);
  const data = Uint8Array.from(bytes.subarray(10 + length)).buffer;
  const [type, array] = types[kind];
  return new ort.Tensor(type, new array(data), shape);
};
