// operators.js: what is measured: each operator of the importer's table with its operands at three sizes. A shape is a
// function of the size, which is 0, 1 or 2. Operators that want operands or attributes of their own have a line here;
// the others are tried with `usual` ones.
const filled = (shape, f, type = 'f32') => ({ shape, type, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => f(i)) });
const weights = (...shape) => filled(shape, (i) => (i * 7919 % 201 - 100) / 500);
const positive = (...shape) => filled(shape, (i) => 0.5 + (i * 31 % 17) / 17);
const list = (...v) => filled([v.length], (i) => v[i], 'i64');
const at = (...sizes) => (s) => sizes[s];
const x = (...shape) => ({ shape });

const vector = at(1 << 14, 1 << 18, 1 << 21), side = at(64, 256, 768), pixels = at(14, 56, 112), channels = at(256, 64, 32);
const table = [];
const add = (name, operands, more = {}) => table.push({ name, op: more.op || name, operands, ...more });
const image = (s) => x(1, channels(s), pixels(s), pixels(s));
const rows = (s) => x(at(16, 128, 1024)(s), at(256, 768, 1024)(s));
const whole = (type) => (s) => ({ shape: [vector(s)], type });

for (const op of ['Abs', 'Neg', 'Relu', 'Sigmoid', 'Tanh', 'Exp', 'Erf', 'Floor', 'Round', 'Sqrt', 'Log', 'Sin', 'Softplus', 'HardSwish', 'LeakyRelu', 'Elu'])
  add(op, (s) => [x(vector(s))]);
for (const op of ['Add', 'Mul', 'Div', 'Max']) add(op, (s) => [x(vector(s)), x(vector(s))]);
add('Where', (s) => [{ shape: [vector(s)], type: 'bool' }, x(vector(s)), x(vector(s))]);
for (const op of ['Less', 'Equal']) add(op, (s) => [x(vector(s)), x(vector(s))], { results: ['bool'] });
add('Add of a row', (s) => [rows(s), weights(rows(s).shape[1])], { op: 'Add' });
add('Clip', (s) => [x(vector(s)), filled([], () => 0), filled([], () => 6)]);
add('Cast to i32', (s) => [x(vector(s))], { op: 'Cast', attributes: { to: 6 }, results: ['i32'] });
add('QuantizeLinear', (s) => [x(vector(s)), filled([], () => 0.02), filled([], () => 3, 'u8')], { results: ['u8'] });
add('DequantizeLinear', (s) => [{ shape: [vector(s)], type: 'u8' }, filled([], () => 0.02), filled([], () => 3, 'u8')]);

add('MatMul', (s) => [x(side(s), side(s)), x(side(s), side(s))]);
add('MatMul by weights', (s) => [x(side(s), side(s)), weights(side(s), side(s))], { op: 'MatMul' });
add('MatMul of one row', (s) => [x(1, side(s)), weights(side(s), side(s))], { op: 'MatMul' });
add('Gemm', (s) => [x(side(s), side(s)), weights(side(s), side(s)), weights(side(s))], { attributes: { transB: 1 } });
add('Einsum', (s) => [x(4, side(s), 64), x(4, side(s), 64)], { attributes: { equation: 'bik,bjk->bij' } });
const conv = (name, kernel, more = {}) => add(name, (s) => [image(s), weights(channels(s), more.depthwise ? 1 : channels(s), kernel, kernel)],
  { op: 'Conv', attributes: (s) => ({ pads: Array(4).fill(kernel >> 1), strides: Array(2).fill(more.stride || 1), group: more.depthwise ? channels(s) : 1 }) });
conv('Conv 1x1', 1), conv('Conv 3x3', 3), conv('Conv 3x3 stride 2', 3, { stride: 2 }), conv('Conv 5x5', 5);
conv('Conv 3x3 depthwise', 3, { depthwise: true }), conv('Conv 5x5 depthwise', 5, { depthwise: true });
add('Conv 3x3 of 3 channels', (s) => [x(1, 3, 2 * pixels(s), 2 * pixels(s)), weights(32, 3, 3, 3)], { op: 'Conv', attributes: { pads: [1, 1, 1, 1], strides: [2, 2] } });
add('Conv 1-D', (s) => [x(1, 64, at(100, 1000, 4000)(s)), weights(64, 64, 5)], { op: 'Conv', attributes: { pads: [2, 2] } });
add('ConvTranspose', (s) => [x(1, 64, pixels(s) / 2, pixels(s) / 2), weights(64, 32, 4, 4)], { attributes: { strides: [2, 2], pads: [1, 1, 1, 1] } });

add('MaxPool 3x3', (s) => [image(s)], { op: 'MaxPool', attributes: { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] } });
add('AveragePool 3x3', (s) => [image(s)], { op: 'AveragePool', attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] } });
add('GlobalAveragePool', (s) => [image(s)]);
for (const op of ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceL2']) add(op, (s) => [rows(s), list(1)]);
add('ReduceSum of columns', (s) => [rows(s), list(0)], { op: 'ReduceSum' });
add('ArgMax', (s) => [rows(s)], { attributes: { axis: 1 }, results: ['i64'] });
add('TopK', (s) => [rows(s), list(8)], { results: ['f32', 'i64'] });
add('CumSum', (s) => [rows(s), filled([], () => 1, 'i64')]);
for (const op of ['Softmax', 'LogSoftmax']) add(op, (s) => [rows(s)]);
add('LayerNormalization', (s) => [rows(s), weights(rows(s).shape[1]), weights(rows(s).shape[1])]);
add('InstanceNormalization', (s) => [image(s), weights(channels(s)), weights(channels(s))]);
add('BatchNormalization', (s) => [image(s), weights(channels(s)), weights(channels(s)), weights(channels(s)), positive(channels(s))]);

add('Transpose', (s) => [rows(s)]);
add('Transpose to channels last', (s) => [image(s)], { op: 'Transpose', attributes: { perm: [0, 2, 3, 1] } });
add('Transpose of heads', (s) => [x(1, at(32, 128, 512)(s), 12, 64)], { op: 'Transpose', attributes: { perm: [0, 2, 1, 3] } });
add('Concat', (s) => [image(s), image(s)], { attributes: { axis: 1 } });
add('Split', (s) => [rows(s)], { attributes: { axis: 1, num_outputs: 2 }, results: ['f32', 'f32'] });
add('Slice', (s) => [rows(s), list(1, 8), list(1000000, 200), list(0, 1)]);
add('Pad', (s) => [image(s), list(0, 0, 1, 1, 0, 0, 1, 1)]);
add('Tile', (s) => [rows(s), list(1, 3)]);
add('Expand', (s) => [x(at(16, 128, 1024)(s), 1), list(at(16, 128, 1024)(s), 512)]);
add('Gather', (s) => [weights(4096, 64), { shape: [at(16, 256, 4096)(s)], type: 'i64' }]);
add('GatherElements', (s) => [rows(s), filled(rows(s).shape, (i) => i * 31 % rows(s).shape[1], 'i64')], { attributes: { axis: 1 } });
add('ScatterElements', (s) => [rows(s), filled(rows(s).shape, (i) => i % rows(s).shape[1], 'i64'), rows(s)], { attributes: { axis: 1 } });

add('DepthToSpace', (s) => [image(s)], { attributes: { blocksize: 2 } });
add('Resize nearest', (s) => [image(s), null, filled([4], (i) => (i < 2 ? 1 : 2))], { op: 'Resize', attributes: { mode: 'nearest' } });
add('Resize linear', (s) => [image(s), null, filled([4], (i) => (i < 2 ? 1 : 2))], { op: 'Resize', attributes: { mode: 'linear' } });
const recurrence = (op, gates) => add(op, (s) => { const h = at(32, 128, 256)(s); return [x(at(10, 50, 100)(s), 1, h), weights(1, gates * h, h), weights(1, gates * h, h)]; },
  { attributes: (s) => ({ hidden_size: at(32, 128, 256)(s) }) });
recurrence('LSTM', 4), recurrence('GRU', 3), recurrence('RNN', 1);

add('SpaceToDepth', (s) => [image(s)], { attributes: { blocksize: 2 } });
add('LRN', (s) => [image(s)], { attributes: { size: 5 } });
add('LpPool', (s) => [image(s)], { attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] } });
add('BitShift', (s) => [whole('u8')(s), whole('u8')(s)], { attributes: { direction: 'LEFT' }, results: ['u8'] });
add('Mod', (s) => [x(vector(s)), positive(vector(s))], { attributes: { fmod: 1 } });
add('Reshape', (s) => [rows(s), list(-1)]);
add('Unsqueeze', (s) => [rows(s), list(0)]);
add('OneHot', (s) => [{ shape: [at(16, 256, 4096)(s)], type: 'i64' }, filled([], () => 256, 'i64'), filled([2], (i) => i)]);
add('GatherND', (s) => [rows(s), filled([at(16, 128, 1024)(s), 2], (i) => i * 31 % 16, 'i64')]);
add('ScatterND', (s) => [rows(s), filled([16, 1], (i) => i, 'i64'), x(16, rows(s).shape[1])]);
add('ReverseSequence', (s) => [rows(s), filled([rows(s).shape[0]], (i) => 1 + i * 31 % rows(s).shape[1], 'i64')], { attributes: { batch_axis: 0, time_axis: 1 } });
add('DynamicQuantizeLinear', (s) => [x(vector(s))], { results: ['u8', 'f32', 'u8'] });
add('ConvInteger', (s) => [{ ...image(s), type: 'u8' }, filled([channels(s), channels(s), 3, 3], (i) => i % 251 - 125, 'i8')], { attributes: { pads: [1, 1, 1, 1] }, results: ['i32'] });
add('GridSample', (s) => [x(1, 32, pixels(s), pixels(s)), filled([1, pixels(s), pixels(s), 2], (i) => Math.sin(i))]);
add('GroupNormalization', (s) => [image(s), weights(8), weights(8)], { attributes: { num_groups: 8 } });
add('Gelu', (s) => [x(vector(s))], { opset: 20 });

const usual = [];
for (const operand of [(s) => x(vector(s)), whole('bool'), whole('i32'), whole('u8'), image, rows, (s) => x(side(s), side(s))])
  for (const count of [1, 2, 3])
    for (const result of [['f32'], ['bool'], ['i32'], ['u8'], ['i64']])
      usual.push({ operands: (s) => Array.from({ length: count }, () => operand(s)), results: result });

// The measurements of operators that are imported, given by name. Those with `usual` are to be made of one that fits.
module.exports = (names) => [...table.filter((t) => names.includes(t.op)),
  ...names.filter((n) => !table.some((t) => t.op === n)).map((n) => ({ name: n, op: n, usual }))];
