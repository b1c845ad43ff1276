import { representing } from '../../kernel/http/answers/representation.ts'
import { type Artifact, presentArtifact } from './artifact.ts'
import { ArtifactData } from './schema.ts'

const represent = representing(ArtifactData)

/** The response for an artifact, with its entity tag. */
export const representArtifact = (artifact: Artifact, bucket: string) => represent(presentArtifact(artifact, bucket))
