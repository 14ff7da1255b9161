'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const root = document.documentElement;

// Elements by name, with text or elements inside.
function make(name, attributes = {}, ...inside) {
  const svg = ['svg', 'g', 'rect', 'circle', 'path', 'line', 'text', 'title'].includes(name);
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value === true ? '' : value);
  e.append(...inside.filter(x => x !== null && x !== undefined));
  return e;
}
const link = (text, act) => make('button', { class: 'link', onclick: act }, text);
const figure = v => v === null || v === undefined ? '–' : v === 0 ? '0' : v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v >= 0.01 ? v.toFixed(2) : v.toPrecision(2);
const bytes = v => v === null || v === undefined ? '–' : v < 1024 ? v + ' B' : v < 1048576 ? figure(v / 1024) + ' KB' : figure(v / 1048576) + ' MB';
const short = place => { const m = /'([^']*)'/.exec(place); return m ? m[1] : place; };

// ---- light and dark -------------------------------------------------------------------------------------------------
const dark = window.matchMedia('(prefers-color-scheme: dark)');
function setTheme(name) {
  root.dataset.theme = name;
  byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  colors = null;
  draw();
}
let colors = null;
function color(name) {
  if (colors === null) {
    const style = getComputedStyle(root);
    colors = {};
    for (const n of ['ground', 'surface', 'line', 'ink', 'quiet', 'accent', 'accent-ground', 'edge']) colors[n] = style.getPropertyValue('--' + n).trim();
  }
  return colors[name];
}
byId('theme').onclick = () => setTheme(root.dataset.theme === 'dark' ? 'light' : 'dark');
dark.addEventListener('change', e => setTheme(e.matches ? 'dark' : 'light'));

// ---- tabs -----------------------------------------------------------------------------------------------------------
const tabs = [...document.querySelectorAll('[role=tab]')];
const filled = { graph: true };
const fill = { passes: showPasses, memory: showMemory, kernels: showKernels };
function openTab(name) {
  for (const t of tabs) {
    const on = t.id === 'tab-' + name;
    t.setAttribute('aria-selected', on);
    t.tabIndex = on ? 0 : -1;
    byId(t.id.slice(4)).hidden = !on;
  }
  if (!filled[name]) filled[name] = true, fill[name](byId(name));
  if (name === 'graph') resize();
}
tabs.forEach((t, i) => {
  t.onclick = () => openTab(t.id.slice(4));
  t.onkeydown = e => {
    const to = e.key === 'ArrowRight' ? i + 1 : e.key === 'ArrowLeft' ? i - 1 : e.key === 'Home' ? 0 : e.key === 'End' ? tabs.length - 1 : null;
    if (to === null) return;
    e.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus(), openTab(next.id.slice(4));
  };
});

// ---- what computes what ---------------------------------------------------------------------------------------------
const stepsOfPlace = new Map();
data.steps.forEach((s, i) => s.nodes.forEach(p => stepsOfPlace.has(p) ? stepsOfPlace.get(p).push(i) : stepsOfPlace.set(p, [i])));
const stepsOf = node => node.step >= 0 ? [node.step] : [...new Set(node.places.flatMap(p => stepsOfPlace.get(p) || []))];
const passesOfPlace = new Map();
data.passes.forEach((p, i) => p.nodes.forEach(n => passesOfPlace.has(n) ? passesOfPlace.get(n).push(i) : passesOfPlace.set(n, [i])));

// ---- the graph ------------------------------------------------------------------------------------------------------
const canvas = byId('drawing'), brush = canvas.getContext('2d');
const width = 150, height = 34, columnWidth = 174, rowHeight = 62;
let graph = null, view = { x: 0, y: 0, scale: 1 }, chosen = -1, waiting = false;

function load(index) {
  const g = data.graphs[index];
  if (!g.ready) {
    g.ready = true;
    g.nodes = g.nodes.map((n, i) => ({ i, label: n[0], x: n[1] * columnWidth, y: n[2] * rowHeight, places: n[3].map(p => data.places[p]), type: n[4], step: n[5], io: n[6], into: [], out: [] }));
    for (let i = 0; i < g.edges.length; i += 2) {
      g.nodes[g.edges[i]].out.push(g.edges[i + 1]);
      g.nodes[g.edges[i + 1]].into.push(g.edges[i]);
    }
    // Rows are sorted by y: what is seen is found without looking at all.
    g.order = g.nodes.map(n => n.i).sort((a, b) => g.nodes[a].y - g.nodes[b].y);
  }
  graph = g;
  chosen = -1;
  byId('state').value = index;
  const names = byId('names');
  names.replaceChildren(...[...new Set(g.nodes.flatMap(n => [n.label, ...n.places.map(short)]))].slice(0, 3000).map(n => make('option', { value: n })));
  fit();
}
function resize() {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  if (box.width === 0) return;
  const w = Math.round(box.width * ratio), h = Math.round(box.height * ratio);
  if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
  paint();  // at once: a canvas of another size is empty
}
function fit() {
  const box = canvas.getBoundingClientRect();
  if (!graph || graph.nodes.length === 0 || box.width === 0) return draw();
  let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
  for (const n of graph.nodes) left = Math.min(left, n.x), right = Math.max(right, n.x + width), top = Math.min(top, n.y), bottom = Math.max(bottom, n.y + height);
  const whole = Math.min(box.width / (right - left + 40), box.height / (bottom - top + 40), 1);
  // A long graph begins at its top, where names can be read.
  view.scale = Math.max(whole, Math.min(0.8, box.width / (width * 5)));
  const first = graph.nodes[graph.order[0]];
  view.x = whole >= view.scale ? (left + right) / 2 - box.width / 2 / view.scale : first.x + width / 2 - box.width / 2 / view.scale;
  view.y = top - 24 / view.scale;
  draw();
}
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(paint);
}
function paint() {
  waiting = false;
  if (!graph || canvas.width === 0) return;
  const ratio = window.devicePixelRatio || 1, b = brush, w = canvas.width / ratio, h = canvas.height / ratio;
  b.setTransform(ratio, 0, 0, ratio, 0, 0);
  b.fillStyle = color('ground');
  b.fillRect(0, 0, w, h);
  b.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, -view.x * view.scale * ratio, -view.y * view.scale * ratio);
  const seen = { left: view.x - width, right: view.x + w / view.scale, top: view.y - height, bottom: view.y + h / view.scale };
  const lines = new Path2D(), strong = new Path2D();
  for (const n of graph.nodes)
    for (const o of n.out) {
      const to = graph.nodes[o], x = n.x + width / 2, y = n.y + height, u = to.x + width / 2, v = to.y;
      if (Math.max(y, v) < seen.top || Math.min(y, v) > seen.bottom || Math.max(x, u) < seen.left || Math.min(x, u) > seen.right + width) continue;
      const path = n.i === chosen || o === chosen ? strong : lines, bend = Math.min((v - y) / 2, 60);
      path.moveTo(x, y);
      if (view.scale < 0.2) path.lineTo(u, v);
      else path.bezierCurveTo(x, y + bend, u, v - bend, u, v);
    }
  b.lineWidth = Math.max(1, 0.7 / view.scale);
  b.strokeStyle = color('edge');
  b.stroke(lines);
  b.strokeStyle = color('accent');
  b.lineWidth *= 2;
  b.stroke(strong);
  let from = 0, to = graph.order.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (graph.nodes[graph.order[middle]].y < seen.top) from = middle + 1;
    else to = middle;
  }
  const readable = view.scale > 0.3;
  let drawn = 0;
  b.textBaseline = 'middle';
  for (let k = from; k < graph.order.length; ++k) {
    const n = graph.nodes[graph.order[k]];
    if (n.y > seen.bottom) break;
    if (n.x < seen.left || n.x > seen.right) continue;
    ++drawn;
    const on = n.i === chosen;
    b.fillStyle = on ? color('accent-ground') : n.io ? color('ground') : color('surface');
    b.strokeStyle = on ? color('accent') : color('edge');
    b.lineWidth = on ? 2 : 1;
    if (!readable) {
      b.fillStyle = on ? color('accent') : color('quiet');
      b.fillRect(n.x, n.y, width, height);
      continue;
    }
    b.beginPath();
    b.roundRect(n.x, n.y, width, height, n.io ? 16 : 4);
    b.fill();
    b.stroke();
    b.fillStyle = color('ink');
    b.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    b.fillText(clipped(n.label), n.x + 8, n.y + (n.places.length ? 12 : 17));
    b.fillStyle = color('quiet');
    b.font = '11px system-ui, "DejaVu Sans", sans-serif';
    if (n.places.length) b.fillText(clipped(short(n.places[0]) + (n.places.length > 1 ? ' +' + (n.places.length - 1) : '')), n.x + 8, n.y + 25);
  }
  canvas.dataset.drawn = drawn;
}
const clipped = s => s.length > 21 ? s.slice(0, 20) + '…' : s;

function choose(i, centre = false) {
  chosen = i;
  const n = graph.nodes[i];
  if (centre) {
    const box = canvas.getBoundingClientRect();
    if (view.scale < 0.4) view.scale = 0.6;
    view.x = n.x + width / 2 - box.width / 2 / view.scale;
    view.y = n.y + height / 2 - box.height / 2 / view.scale;
  }
  byId('said').textContent = n.label + ' ' + n.places.map(short).join(', ') + ', ' + n.into.length + ' inputs, ' + n.out.length + ' users';
  showNode(n);
  draw();
}
function zoom(factor, x, y) {
  const scale = Math.min(3, Math.max(0.02, view.scale * factor));
  view.x += x / view.scale - x / scale;
  view.y += y / view.scale - y / scale;
  view.scale = scale;
  draw();
}
function at(event) {
  const box = canvas.getBoundingClientRect(), x = view.x + (event.clientX - box.left) / view.scale, y = view.y + (event.clientY - box.top) / view.scale;
  return graph.nodes.findIndex(n => x >= n.x && x <= n.x + width && y >= n.y && y <= n.y + height);
}
let held = null;
canvas.onpointerdown = e => {
  held = { x: e.clientX, y: e.clientY, moved: false };
  canvas.setPointerCapture(e.pointerId);
  canvas.focus();
};
canvas.onpointermove = e => {
  if (!held) return;
  const dx = e.clientX - held.x, dy = e.clientY - held.y;
  if (!held.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
  held = { x: e.clientX, y: e.clientY, moved: true };
  view.x -= dx / view.scale;
  view.y -= dy / view.scale;
  draw();
};
canvas.onpointerup = e => {
  if (held && !held.moved) {
    const i = at(e);
    if (i >= 0) choose(i);
  }
  held = null;
};
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  const box = canvas.getBoundingClientRect();
  zoom(Math.exp(-e.deltaY * 0.0015), e.clientX - box.left, e.clientY - box.top);
}, { passive: false });
canvas.onkeydown = e => {
  const box = canvas.getBoundingClientRect(), n = graph.nodes[chosen];
  const beside = by => {
    const row = graph.nodes.filter(m => m.y === n.y).sort((a, b) => a.x - b.x);
    return row[row.indexOf(n) + by];
  };
  let to = null;
  if (e.key === '+' || e.key === '=') zoom(1.25, box.width / 2, box.height / 2);
  else if (e.key === '-') zoom(0.8, box.width / 2, box.height / 2);
  else if (e.key === 'Home') to = graph.nodes[graph.order[0]];
  else if (e.key === 'End') to = graph.nodes[graph.order[graph.order.length - 1]];
  else if (e.key.startsWith('Arrow') && !n) to = graph.nodes[graph.order[0]];
  else if (e.key === 'ArrowDown') to = graph.nodes[n.out[0]];
  else if (e.key === 'ArrowUp') to = graph.nodes[n.into[0]];
  else if (e.key === 'ArrowLeft') to = beside(-1);
  else if (e.key === 'ArrowRight') to = beside(1);
  else if (e.key === 'Enter' && n && stepsOf(n).length) showStep(stepsOf(n)[0], true);
  else return;
  e.preventDefault();
  if (to) choose(to.i, true);
};
byId('fit').onclick = fit;
byId('state').onchange = e => load(Number(e.target.value));
byId('find').onchange = e => find(e.target.value);
function find(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return;
  const words = n => [n.label, ...n.places.map(short), ...stepsOf(n).map(s => data.steps[s].name)].map(s => s.toLowerCase());
  const after = graph.nodes.slice(chosen + 1).concat(graph.nodes.slice(0, chosen + 1));
  const found = after.find(n => words(n).includes(wanted)) || after.find(n => words(n).some(w => w.includes(wanted)));
  if (found) choose(found.i, true);
  else byId('said').textContent = 'nothing is called ' + text;
}
/// Shows where nodes of these places are, in the state that has them.
function showPlace(place) {
  const has = g => g.nodes.findIndex(n => Array.isArray(n) ? n[3].some(p => data.places[p] === place) : n.places.includes(place));
  let index = has(graph) >= 0 ? data.graphs.indexOf(graph) : data.graphs.findIndex(g => has(g) >= 0);
  if (index < 0) return;
  openTab('graph');
  if (data.graphs[index] !== graph) load(index);
  choose(has(graph), true);
}

// ---- what is selected -----------------------------------------------------------------------------------------------
const detail = byId('detail');
function placesList(places) {
  const list = make('ul');
  places.slice(0, 200).forEach(p => list.append(make('li', {}, link(p, () => showPlace(p)))));
  if (places.length > 200) list.append(make('li', {}, 'and ' + (places.length - 200) + ' more'));
  return list;
}
function showNode(n) {
  const parts = [make('h2', {}, n.label), make('p', {}, n.type)];
  if (n.places.length) parts.push(make('p', { class: 'hint' }, 'In the model'), placesList(n.places));
  const steps = stepsOf(n);
  if (steps.length) {
    parts.push(make('p', { class: 'hint' }, 'Computed by'));
    steps.slice(0, 50).forEach(s => parts.push(make('p', {}, link(s + ': ' + data.steps[s].name, () => showStep(s, true)))));
  } else if (n.places.length && data.steps.length) {
    const last = n.places.flatMap(p => passesOfPlace.get(p) || []).sort((a, b) => b - a)[0];
    parts.push(make('p', {}, 'No kernel computes it: ', last === undefined ? 'it is known when the model is compiled' : 'it was last changed by '), last === undefined ? null : link(data.passes[last].name, () => showPass(last)));
  }
  const passes = [...new Set(n.places.flatMap(p => passesOfPlace.get(p) || []))].sort((a, b) => a - b);
  if (passes.length) {
    parts.push(make('p', { class: 'hint' }, 'Changed by'));
    passes.forEach(p => parts.push(make('p', {}, link(data.passes[p].name, () => showPass(p)))));
  }
  for (const [title, list] of [['Inputs', n.into], ['Users', n.out]]) {
    if (!list.length) continue;
    parts.push(make('p', { class: 'hint' }, title));
    list.slice(0, 40).forEach(i => parts.push(make('p', {}, link(graph.nodes[i].label + ' ' + graph.nodes[i].places.map(short).slice(0, 2).join(', '), () => choose(i, true)))));
  }
  detail.replaceChildren(...parts.filter(x => x));
}
function showStep(i, focus = false) {
  const s = data.steps[i], parts = [make('h2', {}, i + ': ' + s.name)];
  const rows = [];
  if (s.ms !== undefined) rows.push(['time', figure(s.ms) + ' ms a run, ' + figure(100 * s.ms / data.profile.steps_ms) + ' %']);
  if (s.flops !== undefined) rows.push(['operations', figure(s.flops / 1e6) + ' million' + (s.exact ? '' : ' (a bound)')], ['read, written', bytes(s.read) + ', ' + bytes(s.written)]);
  if (s.ms && s.flops !== undefined) rows.push(['speed', figure(s.flops / s.ms / 1e6) + ' GFLOP/s, ' + figure((s.read + s.written) / s.ms / 1e6) + ' GB/s']);
  if (rows.length) parts.push(make('table', {}, ...rows.map(r => make('tr', {}, make('th', {}, r[0]), make('td', {}, r[1])))));
  parts.push(make('p', { class: 'hint' }, 'Nodes'), placesList(s.nodes));
  if (s.kernel >= 0) {
    const k = data.kernels[s.kernel], text = make('pre', { tabindex: 0 }), choice = make('div', { class: 'choice', role: 'group', 'aria-label': 'Form' });
    const forms = ['loops', 'llvm', 'asm'].filter(f => byId(f + '-' + s.kernel));
    const show = form => {
      text.textContent = JSON.parse(byId(form + '-' + s.kernel).textContent);
      [...choice.children].forEach(b => b.setAttribute('aria-pressed', b.textContent === form));
    };
    forms.forEach(f => choice.append(make('button', { onclick: () => show(f) }, f)));
    parts.push(make('p', { class: 'hint' }, 'Called by ' + k.steps.length + ' step' + (k.steps.length === 1 ? '' : 's')), choice, text);
    if (forms.length) show(forms[0]);
  }
  detail.replaceChildren(...parts);
  document.querySelectorAll('[data-step]').forEach(e => e.classList.toggle('chosen', Number(e.dataset.step) === i));
  if (focus) detail.focus();
}
function showPass(i) {
  const p = data.passes[i], counts = (title, map) => Object.keys(map).length === 0 ? null : make('p', {}, title + ': ' + Object.entries(map).map(([op, n]) => n + ' ' + op).join(', '));
  const facts = (title, kind) => {
    const names = data.facts.filter(f => f.passes[i] && f.passes[i].includes(kind)).map(f => f.name);
    return names.length ? make('p', {}, make('span', { class: title }, title), ' ' + names.join(', ')) : null;
  };
  detail.replaceChildren(...[
    make('h2', {}, (i + 1) + ': ' + p.name), make('p', {}, 'phase ' + p.phase + ', ' + figure(p.ms) + ' ms, ' + p.before + ' → ' + p.after + ' ops'),
    facts('needs', 'n'), facts('gives', 'g'), facts('breaks', 'b'), counts('removed', p.removed), counts('added', p.added),
    p.nodes.length ? make('p', { class: 'hint' }, p.changed + ' node' + (p.changed === 1 ? '' : 's') + ' of the model changed') : make('p', { class: 'hint' }, 'No node changed'), placesList(p.nodes)].filter(x => x));
  document.querySelectorAll('[data-pass]').forEach(e => e.classList.toggle('chosen', Number(e.dataset.pass) === i));
}

// ---- passes, with facts as lanes ------------------------------------------------------------------------------------
const row = (attributes, act, ...cells) => make('tr', { tabindex: 0, onclick: act, onkeydown: e => {
  const to = e.key === 'ArrowDown' ? e.currentTarget.nextElementSibling : e.key === 'ArrowUp' ? e.currentTarget.previousElementSibling : null;
  if (e.key === 'Enter' || e.key === ' ') e.preventDefault(), act();
  else if (to) e.preventDefault(), to.focus();
}, ...attributes }, ...cells);
function showPasses(to) {
  const head = make('tr', {}, ...['', 'pass', 'phase', 'ms', 'ops', 'nodes'].map((t, i) => make('th', { class: i > 2 || i === 0 ? 'n' : '' }, t)), ...data.facts.map(f => make('th', { class: 'lane' }, make('span', {}, f.name))));
  const sign = { n: ['◆', 'needs'], g: ['▲', 'gives'], b: ['✕', 'breaks'] };
  const rows = data.passes.map((p, i) => row({ 'data-pass': i }, () => showPass(i), make('td', { class: 'n' }, i + 1), make('td', {}, p.name), make('td', {}, p.phase), make('td', { class: 'n' }, p.ms.toFixed(2)),
    make('td', { class: 'n' }, p.before === p.after ? p.after : p.before + ' → ' + p.after), make('td', { class: 'n' }, p.changed),
    ...data.facts.map(f => {
      const kinds = f.passes[i] || '', shown = [...kinds].filter(k => sign[k]);
      return make('td', { class: 'lane' + (kinds.includes('h') ? ' held' : ''), title: shown.map(k => p.name + ' ' + sign[k][1] + ' ' + f.name).join('; ') || (kinds.includes('h') ? f.name + ' holds' : '') }, ...shown.slice(0, 1).map(k => make('span', { class: sign[k][1] }, sign[k][0])));
    })));
  to.append(make('p', { class: 'hint' }, 'A lane for each fact: ', make('span', { class: 'gives' }, '▲ gives'), ' ', make('span', { class: 'needs' }, '◆ needs'), ' ', make('span', { class: 'breaks' }, '✕ breaks'), '; it holds where the lane is filled. The last column before the lanes counts the nodes of the model that a pass changed.'),
    make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows)));
}

// ---- memory over time -----------------------------------------------------------------------------------------------
function showMemory(to) {
  const m = data.memory;
  if (!m || m.buffers.length === 0) return to.append(make('p', {}, m ? m.note : 'There is no plan of memory: the model is not one piece of native code.'));
  const w = 900, h = 420, left = 80, top = 16, x = s => left + s / m.steps * (w - left - 10), y = b => top + h - b / m.bytes * h;
  const drawing = make('svg', { viewBox: `0 0 ${w} ${h + 60}`, width: '100%', role: 'img', 'aria-label': 'Buffers of the arena over the steps of a run' });
  drawing.append(make('rect', { class: 'frame', x: left, y: top, width: w - left - 10, height: h }));
  for (const f of [0, 0.25, 0.5, 0.75, 1]) drawing.append(make('text', { class: 'quiet', x: left - 6, y: y(m.bytes * f) + 4, 'text-anchor': 'end' }, bytes(Math.round(m.bytes * f))));
  for (const f of [0, 0.5, 1]) drawing.append(make('text', { class: 'quiet', x: x(m.steps * f), y: top + h + 18, 'text-anchor': f === 1 ? 'end' : 'middle' }, 'step ' + Math.round(m.steps * f)));
  m.buffers.forEach((b, i) => {
    const shape = make('rect', { class: 'buffer', x: x(b.first), y: y(b.offset + b.bytes), width: Math.max(1, x(b.last + 1) - x(b.first)), height: Math.max(1, b.bytes / m.bytes * h), tabindex: m.buffers.length <= 400 ? 0 : null, onclick: () => showBuffer(i), onkeydown: e => { if (e.key === 'Enter') showBuffer(i); } }, make('title', {}, b.type + ', ' + bytes(b.bytes)));
    drawing.append(shape);
  });
  to.append(make('p', {}, `The arena has ${bytes(m.bytes)}; its ${m.buffers.length} buffers would take ${bytes(m.buffers.reduce((s, b) => s + b.bytes, 0))} side by side. Constants: ${bytes(m.constants)}.`), ...(m.note ? [make('p', { class: 'hint' }, m.note)] : []), drawing);
}
function showBuffer(i) {
  const b = data.memory.buffers[i];
  detail.replaceChildren(make('h2', {}, b.type), make('p', {}, bytes(b.bytes) + ' at ' + b.offset + ', steps ' + b.first + ' to ' + b.last), make('p', { class: 'hint' }, 'Written and read by'),
    ...data.steps.slice(b.first, b.last + 1).map((s, k) => [s, b.first + k]).filter(([, k]) => b.users.includes(k)).map(([s, k]) => make('p', {}, link(k + ': ' + s.name, () => showStep(k, true)))));
}

// ---- kernels and the roofline ---------------------------------------------------------------------------------------
function roofline() {
  const p = data.profile, points = data.steps.map((s, i) => ({ s, i })).filter(({ s }) => s.ms > 0 && s.flops > 0 && s.read + s.written > 0);
  if (!p || points.length === 0) return null;
  const w = 900, h = 300, left = 60, bottom = 40, top = 10;
  const intensity = s => s.flops / (s.read + s.written), speed = s => s.flops / s.ms / 1e6;
  const low = Math.floor(Math.log10(Math.min(0.1, ...points.map(q => intensity(q.s))))), high = Math.ceil(Math.log10(Math.max(100, ...points.map(q => intensity(q.s)))));
  const down = Math.floor(Math.log10(Math.min(p.peaks.gflops / 100, ...points.map(q => speed(q.s))))), up = Math.ceil(Math.log10(Math.max(p.peaks.gflops * 1.2, ...points.map(q => speed(q.s)))));
  const x = v => left + (Math.log10(v) - low) / (high - low) * (w - left - 10), y = v => top + (up - Math.log10(v)) / (up - down) * (h - top - bottom);
  const drawing = make('svg', { viewBox: `0 0 ${w} ${h}`, width: '100%', role: 'img', 'aria-label': 'Roofline: speed of each step by its operations a byte' });
  drawing.append(make('rect', { class: 'frame', x: left, y: top, width: w - left - 10, height: h - top - bottom }));
  for (let e = low; e <= high; ++e) drawing.append(make('text', { class: 'quiet', x: x(10 ** e), y: h - 22, 'text-anchor': e === high ? 'end' : 'middle' }, String(10 ** e)));
  for (let e = down; e <= up; ++e) drawing.append(make('text', { class: 'quiet', x: left - 6, y: y(10 ** e) + 4, 'text-anchor': 'end' }, String(10 ** e)));
  drawing.append(make('text', { class: 'quiet', x: w / 2, y: h - 5, 'text-anchor': 'middle' }, 'operations a byte'), make('text', { class: 'quiet', x: left + 6, y: top + 14 }, 'GFLOP/s'));
  const ridge = p.peaks.gflops / p.peaks.gbytes_per_second, from = Math.max(10 ** low, 10 ** down / p.peaks.gbytes_per_second);
  drawing.append(make('path', { class: 'roof', d: `M ${x(from)} ${y(from * p.peaks.gbytes_per_second)} L ${x(ridge)} ${y(p.peaks.gflops)} L ${x(10 ** high)} ${y(p.peaks.gflops)}` }));
  const most = Math.max(...points.map(q => q.s.ms));
  for (const { s, i } of points)
    drawing.append(make('circle', { class: 'dot', 'data-step': i, cx: x(intensity(s)), cy: y(speed(s)), r: 3 + 11 * Math.sqrt(s.ms / most), onclick: () => showStep(i) }, make('title', {}, s.name + ', ' + figure(speed(s)) + ' GFLOP/s, ' + figure(s.ms) + ' ms')));
  return drawing;
}
function showKernels(to) {
  if (data.steps.length === 0) return to.append(make('p', {}, data.note || 'There are no kernels.'));
  const p = data.profile, order = data.steps.map((s, i) => i);
  if (p) order.sort((a, b) => (data.steps[b].ms || 0) - (data.steps[a].ms || 0));
  const titles = ['step', 'kernel', ...(p ? ['ms', '%', ''] : []), 'MFLOP', 'in', 'out', ...(p ? ['GFLOP/s', 'GB/s'] : [])];
  const right = ['step', 'ms', '%', 'MFLOP', 'in', 'out', 'GFLOP/s', 'GB/s'];
  const rows = order.map(i => {
    const s = data.steps[i], n = (...t) => make('td', { class: 'n' }, ...t), share = p ? 100 * (s.ms || 0) / p.steps_ms : 0;
    return row({ 'data-step': i }, () => showStep(i), n(i), make('td', { class: 'kernel' }, s.name, make('div', { class: 'hint' }, s.nodes.slice(0, 2).map(short).join(', ') + (s.nodes.length > 2 ? ' +' + (s.nodes.length - 2) : ''))),
      ...(p ? [n(figure(s.ms)), n(share.toFixed(1)), make('td', {}, make('span', { class: 'track' }, make('i', { style: `width:${share.toFixed(1)}%` })))] : []),
      n(s.flops === undefined ? '–' : figure(s.flops / 1e6) + (s.exact ? '' : '~')), n(bytes(s.read)), n(bytes(s.written)),
      ...(p ? [n(s.ms && s.flops !== undefined ? figure(s.flops / s.ms / 1e6) : '–'), n(s.ms && s.read !== undefined ? figure((s.read + s.written) / s.ms / 1e6) : '–')] : []));
  });
  to.append(make('p', {}, p ? `${p.runs} runs of ${figure(p.run_ms)} ms on ${p.threads} thread${p.threads === 1 ? '' : 's'}; the steps take ${figure(p.steps_ms)} ms. Measured peaks: ${figure(p.peaks.gflops)} GFLOP/s, ${figure(p.peaks.gbytes_per_second)} GB/s.`
    : 'Without times: say --profile to have the model run.'));
  const roof = roofline();
  if (roof) to.append(roof, make('p', { class: 'hint' }, 'The line is what the machine can do at most, as measured; above the slanted part, caches serve what memory could not.'));
  to.append(make('table', {}, make('thead', {}, make('tr', {}, ...titles.map(t => make('th', { class: right.includes(t) ? 'n' : '' }, t)))), make('tbody', {}, ...rows)));
}

// ---- begin ----------------------------------------------------------------------------------------------------------
byId('title').textContent = data.model;
byId('facts').textContent = data.summary;
byId('state').append(...data.graphs.map((g, i) => make('option', { value: i }, g.name + ' (' + g.nodes.length + ')')));
document.querySelector('.bar').append(make('datalist', { id: 'names' }));
new ResizeObserver(resize).observe(canvas);
const asked = new URLSearchParams(location.hash.slice(1));  // report.html#view=kernels&step=3&theme=dark
setTheme(asked.get('theme') || (dark.matches ? 'dark' : 'light'));
load(0);
resize();
if (tabs.some(t => t.id === 'tab-' + asked.get('view'))) openTab(asked.get('view'));
if (data.steps[asked.get('step')]) showStep(Number(asked.get('step')));
root.dataset.ready = Math.round(performance.now());
