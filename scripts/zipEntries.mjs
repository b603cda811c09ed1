// What a zip file holds, from its central directory (PKWARE's APPNOTE, 4.3.12 and 4.3.16).

/** @typedef {{name: string, bytes: number, packed: number}} ZipEntry */

/** @param {Buffer} zip @returns {ZipEntry[]} */
export function entriesOf(zip) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('This is no zip file.');
  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset));
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      bytes: zip.readUInt32LE(at + 24),
      packed: zip.readUInt32LE(at + 20),
    });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}
