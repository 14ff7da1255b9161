// memory.js TOOL RUNNER [MODEL_FOLDER...]: the bytes that each model takes, in MB (10^6 bytes): its files, the program file
// that is built of it, and the peak of resident memory of a process that
//   build    compiles it to a program file (tenon build),
//   session  compiles and runs it (tenon run MODEL),
//   run      runs the program file (tenon-runner PROGRAM; what is divided, tenon run PROGRAM),
//   peer     loads and runs it with ONNX Runtime, less what node takes before it loads ONNX Runtime;
// all on one thread and on the first set of inputs. "own" is the peak of what no file holds: the rest are pages of mapped
// files and libraries, which the system takes back when it needs them, and which processes share. It is looked at every
// few milliseconds, so a short peak may be missed; resident peaks are exact. The first row is a tool that only prints its
// help: what the libraries take, of which LLVM's is the largest.
//
// Folders default to those of TENON_ONNX_DIR/models. TENON_ORT_DIR is a folder in which
//   npm install --ignore-scripts onnxruntime-node@1.30.0
// was run; without it the peer's columns are empty. Needs GNU time.
const child = require('child_process'), fs = require('fs'), os = require('os'), path = require('path');

async function peer(folder, dir) {
  const before = process.memoryUsage.rss(), own = own_bytes('self');
  const ort = require(require.resolve('onnxruntime-node', { paths: [folder] })), read_npy = require('./npy.js');
  const session = await ort.InferenceSession.create(path.join(dir, 'model.onnx'),
    { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
  const set = JSON.parse(fs.readFileSync(path.join(dir, 'meta.json'))).sets[0], feeds = {};
  for (const name in set.inputs) feeds[name] = read_npy(ort, path.join(dir, set.dir, set.inputs[name].file));
  await session.run(feeds);
  console.log(`before ${before} ${own}`);
}

// The memory of a process: statm counts pages; those that are shared are files'.
function own_bytes(pid) {
  const [, resident, shared] = fs.readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
  return (resident - shared) * 4096;
}

// Runs a command under GNU time; gives the peaks of resident and of own bytes, and the standard output.
function measure(command) {
  return new Promise(done => {
    const run = child.spawn('/usr/bin/time', ['-q', '-f', 'peak %M', ...command], { env: { ...process.env, TENON_CACHE: 'off' } });
    let out = '', err = '', own = 0;
    const look = setInterval(() => {
      try {
        const pid = fs.readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, 'latin1').trim();
        if (pid) own = Math.max(own, own_bytes(pid));
      } catch { /* it has ended */ }
    }, 3);
    run.stdout.on('data', d => out += d);
    run.stderr.on('data', d => err += d);
    run.on('error', e => done({ failed: e.message }));
    run.on('close', code => {
      clearInterval(look);
      const peak = /peak (\d+)\s*$/.exec(err);
      done(code === 0 && peak ? { peak: peak[1] * 1024, own, out } : { failed: err.trim().split('\n')[0] });
    });
  });
}

const mb = bytes => bytes === undefined ? '-' : (bytes / 1e6).toFixed(1);
const columns = ['model', 'file', 'program', 'build', 'own', 'session', 'own', 'run', 'own', 'peer', 'own'];
function print(row) {
  console.log(row.map((c, i) => i === 0 ? String(c).padEnd(24) : String(c).padStart(8)).join(' '));
}

// What the model's files hold: external data lies beside it.
function bytes_of_model(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).filter(e => e.isFile() && e.name !== 'meta.json')
    .reduce((sum, e) => sum + fs.statSync(path.join(dir, e.name)).size, 0);
}

async function main(tool, runner, dirs) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'memory_')), failures = [];
  print(columns);
  const bare = await measure([tool, '--help']);
  print(['(the tool)', '', '', mb(bare.peak), mb(bare.own)]);
  for (const dir of dirs) {
    const name = path.basename(dir), model = path.join(dir, 'model.onnx'), program = path.join(scratch, 'program');
    const set = JSON.parse(fs.readFileSync(path.join(dir, 'meta.json'))).sets[0];
    const given = ['--threads', '1', '--quiet'], files = [];
    for (const [input, at] of Object.entries(set.inputs)) {
      files.push(path.join(dir, set.dir, at.file));
      given.push('--input', `${input}=${files.at(-1)}`);
    }
    const measured = async (what, command) => {
      const m = await measure(command);
      if (m.failed !== undefined) failures.push(`${name}: ${what}: ${m.failed}`);
      return m;
    };
    const build = await measured('build', [tool, 'build', model, '-o', program]);
    const session = await measured('session', [tool, 'run', model, ...given]);
    let run = {};
    if (!build.failed) {
      run = await measure([runner, program, '--threads', '1', ...files]);
      if (run.failed !== undefined) run = await measured('run', [tool, 'run', program, ...given]);
    }
    let other = {};
    if (process.env.TENON_ORT_DIR) {
      other = await measured('peer', [process.execPath, __filename, '--peer', process.env.TENON_ORT_DIR, dir]);
      if (!other.failed) {
        const [, before, own] = /before (\d+) (\d+)/.exec(other.out).map(Number);
        other.peak -= before, other.own -= own;
      }
    }
    print([name, mb(bytes_of_model(dir)), build.failed ? '-' : mb(fs.statSync(program).size), mb(build.peak), mb(build.own),
           mb(session.peak), mb(session.own), mb(run.peak), mb(run.own), mb(other.peak), mb(other.own)]);
  }
  fs.rmSync(scratch, { recursive: true });
  for (const f of failures) console.log(`FAILED: ${f}`);
}

const [first, second, ...rest] = process.argv.slice(2);
if (first === '--peer') {
  peer(second, rest[0]);
} else if (!second) {
  console.error('usage: memory.js TOOL RUNNER [MODEL_FOLDER...]');
  process.exit(2);
} else {
  const models = path.join(process.env.TENON_ONNX_DIR || '', 'models');
  if (!rest.length && !(process.env.TENON_ONNX_DIR && fs.existsSync(models))) {
    console.log('SKIPPED: TENON_ONNX_DIR does not name a folder with models');
    process.exit(77);
  }
  if (!fs.existsSync('/usr/bin/time')) {
    console.log('SKIPPED: /usr/bin/time, GNU time, is not there');
    process.exit(77);
  }
  main(first, second, rest.length ? rest : fs.readdirSync(models).sort().map(m => path.join(models, m)));
}
