import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import type { Framing } from './framing.ts';
import { framesVersion, streamMediaTypes } from './media-types.ts';

/** Frames of MessagePack, both ways. */
export const frames: Framing = {
  mediaType: `${streamMediaTypes.frames}; version=${framesVersion}`,
  createReader: () => new FrameReader(),
  createWriter: () => new FrameWriter(),
};
