export { makeDataFolder } from './data-folder.js';
export { FolderInUseError, takeFolderLock, type FolderLock } from './folder-lock.js';
export { writeNewWhole, writeWhole } from './whole-file.js';
