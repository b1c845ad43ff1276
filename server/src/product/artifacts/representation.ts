import { represent } from '../../kernel/http/answers/representation.ts'
import { type Artifact, presentArtifact } from './artifact.ts'

/** The response for an artifact, with its entity tag. */
export const representArtifact = (artifact: Artifact, bucket: string) => represent(presentArtifact(artifact, bucket))
