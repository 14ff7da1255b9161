// Runs a program file from Rust, by the C functions of <tenon.h>, without a crate: main scorer.tenon. Built by
//     rustc --edition 2021 -O -L FOLDER -l tenon_runtime main.rs
// where FOLDER has libtenon_runtime.so. Every language that can call C does the same.
use std::ffi::{c_void, CStr, CString};
use std::os::raw::{c_char, c_int};
use std::ptr;

/// `tenon_program`, `tenon_error` and `tenon_results` are known by their addresses alone.
type Handle = *mut c_void;

#[repr(C)]
struct Tensor {
    name: *const c_char,
    kind: c_int, // tenon_type: 1 is f32
    rank: usize,
    shape: *const i64,
    data: *mut c_void,
}

extern "C" {
    // [functions]
    fn tenon_open(path: *const c_char, program: *mut Handle) -> Handle;
    fn tenon_run_new(program: Handle, inputs: *const Tensor, count: usize, threads: c_int, results: *mut Handle) -> Handle;
    // [end]
    fn tenon_result_count(results: Handle) -> usize;
    fn tenon_result(results: Handle, i: usize) -> *const Tensor;
    fn tenon_results_free(results: Handle);
    fn tenon_error_text(error: Handle) -> *const c_char;
    fn tenon_error_free(error: Handle);
    fn tenon_close(program: Handle);
}

/// What a function of the library returns is null, or an error that the caller frees.
fn checked(error: Handle) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(tenon_error_text(error)) }.to_string_lossy().into_owned();
    unsafe { tenon_error_free(error) };
    Err(text)
}

// [program]
struct Program(Handle);
unsafe impl Send for Program {}
unsafe impl Sync for Program {} // any number of threads may run one
// [end]

impl Program {
    fn open(path: &str) -> Result<Program, String> {
        let path = CString::new(path).map_err(|e| e.to_string())?;
        let mut program = ptr::null_mut();
        checked(unsafe { tenon_open(path.as_ptr(), &mut program) })?;
        Ok(Program(program))
    }

    /// Inputs of f32 by name, with their shapes; outputs in the program's order.
    fn run(&self, inputs: &[(&str, &[i64], &[f32])]) -> Result<Vec<Vec<f32>>, String> {
        let names: Vec<CString> = inputs.iter().map(|i| CString::new(i.0).unwrap()).collect();
        let mut tensors = Vec::new();
        for (name, (_, shape, data)) in names.iter().zip(inputs) {
            if shape.iter().product::<i64>() != data.len() as i64 {
                return Err(format!("{:?} are not {} elements", shape, data.len()));
            }
            let data = data.as_ptr() as *mut c_void; // which is only read
            tensors.push(Tensor { name: name.as_ptr(), kind: 1, rank: shape.len(), shape: shape.as_ptr(), data });
        }
        let mut results = ptr::null_mut();
        checked(unsafe { tenon_run_new(self.0, tensors.as_ptr(), tensors.len(), 0, &mut results) })?;
        let mut outputs = Vec::new();
        for i in 0..unsafe { tenon_result_count(results) } {
            let t = unsafe { &*tenon_result(results, i) };
            assert!(t.kind == 1, "an output is not of f32");
            let count = unsafe { std::slice::from_raw_parts(t.shape, t.rank) }.iter().product::<i64>() as usize;
            outputs.push(unsafe { std::slice::from_raw_parts(t.data as *const f32, count) }.to_vec());
        }
        unsafe { tenon_results_free(results) };
        Ok(outputs)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        unsafe { tenon_close(self.0) }
    }
}

fn main() -> Result<(), String> {
    let file = std::env::args().nth(1).ok_or("give a program file")?;
    // [run]
    let program = Program::open(&file)?; // scorer.tenon: rows of three, as many as there are
    let (x, weights) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let outputs = program.run(&[("x", &[2, 3], &x), ("weights", &[2, 3], &weights)])?;
    println!("weighted {:?}, total {:?}", outputs[0], outputs[1]);
    // [end]
    match program.run(&[("x", &[2, 3], &x), ("weigths", &[2, 3], &weights)]) {
        Ok(_) => return Err("a name that there is not was taken".into()),
        Err(e) => println!("refused: {}", e),
    }
    let totals: Vec<f32> = std::thread::scope(|s| {
        let run = |n: usize| program.run(&[("x", &[n as i64, 3], &vec![1.0; 3 * n]), ("weights", &[n as i64, 3], &vec![2.0; 3 * n])]);
        let threads: Vec<_> = (1..5).map(|n| s.spawn(move || run(n).unwrap()[1][0])).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    println!("on four threads: {:?}", totals);
    Ok(())
}
