/** The versions that are compared, as the address has them. */
export interface ChosenVersions {
  a?: string | undefined
  b?: string | undefined
}

export const readVersions = (raw: Record<string, unknown>): ChosenVersions =>
  Object.fromEntries(
    ['a', 'b'].flatMap((name) => (/^[1-9]\d{0,8}$/.test(String(raw[name])) ? [[name, raw[name]]] : [])),
  )
