// onnx.js: an ONNX model of one node, as bytes.
const varint = (n) => { const b = []; for (n = BigInt.asUintN(64, BigInt(n)); n > 127n; n >>= 7n) b.push(Number(n & 127n) | 128); b.push(Number(n)); return Buffer.from(b); };
const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
const bytes = (field, b) => { b = Buffer.from(b); return Buffer.concat([varint(field << 3 | 2), varint(b.length), b]); };
const real = (field, x) => { const b = Buffer.alloc(4); b.writeFloatLE(x); return Buffer.concat([varint(field << 3 | 5), b]); };
const all = (parts) => Buffer.concat(parts);

const types = { f32: 1, u8: 2, i8: 3, i32: 6, i64: 7, bool: 9 };
const arrays = { f32: Float32Array, u8: Uint8Array, i8: Int8Array, i32: Int32Array, i64: BigInt64Array, bool: Uint8Array };

const value = (name, { type = 'f32', shape }) => {
  const dims = shape ? [bytes(2, all(shape.map((d) => bytes(1, number(1, d)))))] : [];
  return all([bytes(1, name), bytes(2, bytes(1, all([number(1, types[type]), ...dims])))]);
};
const tensor = (name, { type = 'f32', shape, data }) => {
  const array = arrays[type].from(type === 'i64' ? Array.from(data, BigInt) : data);
  return all([...shape.map((d) => number(1, d)), number(2, types[type]), bytes(8, name), bytes(9, Buffer.from(array.buffer))]);
};
/// Whole numbers are integers, { f: x } is a float.
const attribute = (name, v) => {
  const [type, ...parts] = Array.isArray(v) ? [7, ...v.map((n) => number(8, n))]
    : typeof v === 'string' ? [3, bytes(4, v)] : typeof v === 'number' ? [2, number(3, v)] : [1, real(2, v.f)];
  return all([bytes(1, name), ...parts, number(20, type)]);
};

/// Operands with `data` are constants, the others inputs; `null` is an operand that is left out.
module.exports.model = ({ op, operands, attributes = {}, results = ['f32'], opset = 18 }) => {
  const names = operands.map((o, i) => (o ? `x${i}` : ''));
  const given = operands.map((o, i) => [names[i], o]).filter(([, o]) => o);
  const graph = all([
    bytes(1, all([...names.map((n) => bytes(1, n)), ...results.map((_, i) => bytes(2, `y${i}`)), bytes(3, op), bytes(4, op),
      ...Object.entries(attributes).map(([k, v]) => bytes(5, attribute(k, v)))])),
    bytes(2, 'one'),
    ...given.filter(([, o]) => o.data).map(([n, o]) => bytes(5, tensor(n, o))),
    ...given.filter(([, o]) => !o.data).map(([n, o]) => bytes(11, value(n, o))),
    ...results.map((type, i) => bytes(12, value(`y${i}`, { type })))]);
  return all([number(1, 8), bytes(7, graph), bytes(8, all([bytes(1, ''), number(2, opset)]))]);
};
module.exports.arrays = arrays;
