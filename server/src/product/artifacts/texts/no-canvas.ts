/** pdf.js needs a matrix for drawing as soon as it is loaded, and Node has none. Nothing is drawn here. */
Object.assign(globalThis, { DOMMatrix: class {} })
