//! Walks a folder that a scenario wrote, at any depth.
//!
//! Folders can be nested deeper than the maximum length of a path and than the number of open
//! files. So each folder is opened by its name in its parent, and only one folder is open at a
//! time. Links are not followed.

use std::io;
use std::path::PathBuf;

#[cfg(not(unix))]
pub(crate) use elsewhere::{FolderEntry, walk};
#[cfg(unix)]
pub(crate) use unix::{FolderEntry, walk};

/// Path, below the walk's root, of an entry that could not be read, and the error.
pub(crate) type WalkError = (PathBuf, io::Error);

#[cfg(unix)]
mod unix {
    use koab_core::say;
    use std::ffi::{CStr, CString, OsStr};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
    use rustix::io::Errno;

    use super::WalkError;

    const FOLDER: OFlags =
        OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
    const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

    /// File or folder that a walk visits, opened without following links.
    pub(crate) struct FolderEntry<'a> {
        folder: BorrowedFd<'a>,
        name: &'a CStr,
        above: &'a Path,
        /// Whether the entry is a regular file.
        pub(crate) is_file: bool,
    }

    impl FolderEntry<'_> {
        /// Path below the walk's root.
        pub(crate) fn path(&self) -> PathBuf {
            self.above.join(self.name())
        }

        /// Name in its folder. Unlike the path it is short, however deep the folder is.
        pub(crate) fn name(&self) -> &OsStr {
            OsStr::from_bytes(self.name.to_bytes())
        }

        /// Opens a file. If the owner lacks the permission, the permission is added, because the
        /// scenario ran as this user.
        pub(crate) fn open(&self, write: bool) -> io::Result<File> {
            let flags = FILE | if write { OFlags::RDWR } else { OFlags::RDONLY };
            Ok(open(self.folder, self.name, flags, Mode::RUSR | Mode::WUSR)?.into())
        }

        /// Changes the owner and group. For a link, the link itself is changed.
        pub(crate) fn give(&self, (user, group): (u32, u32)) -> io::Result<()> {
            let stat = rustix::fs::statat(self.folder, self.name, AtFlags::SYMLINK_NOFOLLOW)?;
            if (stat.st_uid, stat.st_gid) != (user, group) {
                rustix::fs::chownat(
                    self.folder,
                    self.name,
                    Some(rustix::fs::Uid::from_raw(user)),
                    Some(rustix::fs::Gid::from_raw(group)),
                    AtFlags::SYMLINK_NOFOLLOW,
                )?;
            }
            Ok(())
        }
    }

    /// The open folder, or one of the folders that contain it.
    struct Level {
        identity: (u64, u64),
        /// Subfolders that have not been entered yet.
        folders: Vec<CString>,
    }

    /// Calls `each` for every entry below a folder. Returns the entries that could not be read or
    /// made `each` fail.
    pub(crate) fn walk(
        folder: &Path,
        each: &mut dyn FnMut(&FolderEntry<'_>) -> io::Result<()>,
    ) -> Vec<WalkError> {
        let mut missed = Vec::new();
        if let Err(error) = descend(folder, each, &mut missed) {
            missed.push((PathBuf::new(), error));
        }
        missed
    }

    fn descend(
        folder: &Path,
        each: &mut dyn FnMut(&FolderEntry<'_>) -> io::Result<()>,
        missed: &mut Vec<WalkError>,
    ) -> io::Result<()> {
        let mut path = PathBuf::new();
        let mut at = rustix::fs::open(folder, FOLDER, Mode::empty())?;
        let mut levels = vec![look(&at, &path, each, missed)?];
        while let Some(level) = levels.last_mut() {
            if let Some(name) = level.folders.pop() {
                path.push(OsStr::from_bytes(name.to_bytes()));
                let entered = open(at.as_fd(), &name, FOLDER, Mode::RWXU)
                    .map_err(io::Error::from)
                    .and_then(|inner| Ok((look(&inner, &path, each, missed)?, inner)));
                match entered {
                    Ok((level, inner)) => {
                        levels.push(level);
                        at = inner;
                    }
                    Err(error) => {
                        missed.push((path.clone(), error));
                        path.pop();
                    }
                }
                continue;
            }
            levels.pop();
            path.pop();
            let Some(above) = levels.last() else { break };
            at = rustix::fs::openat(&at, c"..", FOLDER, Mode::empty())?;
            if identity(&rustix::fs::fstat(&at)?) != above.identity {
                return Err(io::Error::other(say!("its folders were moved meanwhile")));
            }
        }
        Ok(())
    }

    /// Calls `each` for the entries of an open folder, and collects its subfolders.
    fn look(
        folder: &OwnedFd,
        path: &Path,
        each: &mut dyn FnMut(&FolderEntry<'_>) -> io::Result<()>,
        missed: &mut Vec<WalkError>,
    ) -> io::Result<Level> {
        let mut folders = Vec::new();
        for entry in Dir::read_from(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                    Err(Errno::NOENT) => continue,
                    Err(error) => return Err(error.into()),
                },
                known => known,
            };
            let folder_entry = FolderEntry {
                folder: folder.as_fd(),
                name,
                above: path,
                is_file: kind == FileType::RegularFile,
            };
            if let Err(error) = each(&folder_entry) {
                missed.push((folder_entry.path(), error));
            }
            if kind == FileType::Directory {
                folders.push(name.to_owned());
            }
        }
        Ok(Level { identity: identity(&rustix::fs::fstat(folder)?), folders })
    }

    /// Opens an entry of a folder. If the owner of the entry lacks `rights`, they are added first.
    fn open(folder: BorrowedFd<'_>, name: &CStr, flags: OFlags, rights: Mode) -> rustix::io::Result<OwnedFd> {
        let open = || rustix::fs::openat(folder, name, flags, Mode::empty());
        match open() {
            Err(Errno::ACCESS) => {
                let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                let mode = Mode::from_raw_mode(stat.st_mode) | rights;
                rustix::fs::chmodat(folder, name, mode, AtFlags::empty())?;
                open()
            }
            opened => opened,
        }
    }

    #[allow(
        clippy::useless_conversion,
        clippy::cast_sign_loss,
        clippy::unnecessary_cast,
        reason = "the fields have other types on other systems"
    )]
    fn identity(stat: &Stat) -> (u64, u64) {
        (stat.st_dev as u64, stat.st_ino as u64)
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::ffi::OsStr;
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::WalkError;

    /// File or folder that a walk visits.
    pub(crate) struct FolderEntry<'a> {
        root: &'a Path,
        path: PathBuf,
        /// Whether the entry is a regular file.
        pub(crate) is_file: bool,
    }

    impl FolderEntry<'_> {
        /// Path below the walk's root.
        pub(crate) fn path(&self) -> PathBuf {
            self.path.clone()
        }

        /// Name in its folder.
        pub(crate) fn name(&self) -> &OsStr {
            self.path.file_name().unwrap_or_default()
        }

        /// Opens the file.
        pub(crate) fn open(&self, write: bool) -> io::Result<File> {
            OpenOptions::new().read(true).write(write).open(self.root.join(&self.path))
        }
    }

    /// Calls `each` for every entry below a folder. Returns the entries that could not be read or
    /// made `each` fail.
    pub(crate) fn walk(
        folder: &Path,
        each: &mut dyn FnMut(&FolderEntry<'_>) -> io::Result<()>,
    ) -> Vec<WalkError> {
        let (mut missed, mut folders) = (Vec::new(), vec![PathBuf::new()]);
        while let Some(path) = folders.pop() {
            if let Err(error) = look(folder, &path, each, &mut folders, &mut missed) {
                missed.push((path, error));
            }
        }
        missed
    }

    fn look(
        root: &Path,
        path: &Path,
        each: &mut dyn FnMut(&FolderEntry<'_>) -> io::Result<()>,
        folders: &mut Vec<PathBuf>,
        missed: &mut Vec<WalkError>,
    ) -> io::Result<()> {
        for entry in root.join(path).read_dir()? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let folder_entry =
                FolderEntry { root, path: path.join(entry.file_name()), is_file: kind.is_file() };
            if let Err(error) = each(&folder_entry) {
                missed.push((folder_entry.path(), error));
            }
            if kind.is_dir() {
                folders.push(folder_entry.path);
            }
        }
        Ok(())
    }
}
