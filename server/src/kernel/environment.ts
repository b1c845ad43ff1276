export class ConfigError extends Error {}

/** Reads environment variables. An error names the variable. */
export function environmentReader(env: NodeJS.ProcessEnv) {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback
  const optional = (name: string) => env[name]?.trim() || undefined
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const value = Number(text(name, String(fallback)))
    if (!Number.isInteger(value) || value < min || value > max)
      throw new ConfigError(`${name}="${env[name]}" must be a whole number from ${min} to ${max}.`)
    return value
  }
  const httpUrl = (name: string) => {
    const value = optional(name)
    if (value !== undefined && (!URL.canParse(value) || !/^https?:/.test(value)))
      throw new ConfigError(`${name}="${value}" must be a full http or https URL.`)
    return value?.replace(/\/+$/, '')
  }
  return { text, optional, whole, httpUrl }
}

export type EnvironmentReader = ReturnType<typeof environmentReader>
