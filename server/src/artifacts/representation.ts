import { representationOf } from '../kernel/http/representation.ts'
import { type Artifact, presentArtifact } from './artifact.ts'
import { Artifact as ArtifactShape } from './schema.ts'

const represent = representationOf<ReturnType<typeof presentArtifact>>(ArtifactShape)

/** What a caller sees of an artifact, and the tag that stands for it. */
export const representArtifact = (artifact: Artifact, bucket: string) => represent(presentArtifact(artifact, bucket))
