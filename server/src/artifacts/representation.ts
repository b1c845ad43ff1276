import { represent } from '../kernel/http/answers/representation.ts'
import { type Artifact, presentArtifact } from './artifact.ts'

/** What a caller sees of an artifact, and the tag that stands for it. */
export const representArtifact = (artifact: Artifact, bucket: string) => represent(presentArtifact(artifact, bucket))
