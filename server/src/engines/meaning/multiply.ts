const PAGE = 65_536

/** The type definitions of Node do not include WebAssembly. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (code: Uint8Array) => object
    Instance: new (module: object) => { exports: object }
  }
}

/**
 * Float matrices in one WebAssembly memory, addressed by byte. `code` is `assets/multiply.wasm`, which multiplies matrices
 * four rows and eight columns at a time.
 */
export function createMatrices(code: Uint8Array, floats: number) {
  const { memory, multiply } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as {
    memory: { buffer: ArrayBuffer; grow(pages: number): number }
    multiply: (...numbers: number[]) => void
  }
  memory.grow(Math.ceil((floats * 4) / PAGE))
  let next = 16
  return {
    /** Reserves memory for the given number of floats. */
    allocate(count: number): Float32Array {
      const view = new Float32Array(memory.buffer, next, count)
      next += Math.ceil(count / 4) * 16
      return view
    },
    /** Computes out = x · w + bias. `rows` must be a multiple of 4 and `columns` of 8. `w` stores eight columns together. */
    multiply(
      x: Float32Array,
      w: Float32Array,
      bias: Float32Array,
      out: Float32Array,
      ...sizes: [rows: number, inner: number, columns: number]
    ) {
      multiply(x.byteOffset, w.byteOffset, bias.byteOffset, out.byteOffset, ...sizes)
    },
  }
}
