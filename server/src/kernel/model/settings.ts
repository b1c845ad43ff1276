/** Which models can be asked, and how much one run may take. */
export interface ModelSettings {
  /** Any server that speaks the OpenAI protocol. */
  compatible: { baseUrl: string; apiKey: string | undefined } | undefined
  anthropic: { baseUrl: string | undefined; apiKey: string } | undefined
  /** What is used when nobody asks for a certain one. */
  name: string | undefined
  limits: RunLimits
}

export interface RunLimits {
  steps: number
  tokens: number
  wallMs: number
  /** How long a model may be silent. */
  stallMs: number
  /** How often a busy or failing model is asked again. */
  retries: number
}

export const DEFAULT_LIMITS: RunLimits = {
  steps: 50,
  tokens: 1_000_000,
  wallMs: 600_000,
  stallMs: 90_000,
  retries: 2,
}

export const NO_MODEL: ModelSettings = {
  compatible: undefined,
  anthropic: undefined,
  name: undefined,
  limits: DEFAULT_LIMITS,
}
