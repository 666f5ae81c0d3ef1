//! Deleted packs. They stay in the database under a name that no look-up finds, so that a restored
//! pack is the same to the byte: `<name>#<row>~<seconds>`, with a `*` if it was the active one.
//!
//! The earlier versions of a pack are deleted and restored with it. All of them have the same time,
//! which no other deletion has.

use crate::db::Store;
use crate::error::Result;
use crate::packs::{activate_another, activate_first, is_set_aside, manifest, require};
use crate::table;
use crate::table::pack::PackRow;
use crate::table::setting::ACTIVE_PACK;
use crate::trashed::{TrashKind, Trashed, absent, name_taken};

/// Mark of the pack that was the active one.
const ACTIVE: char = '*';

impl Store {
    /// Moves a pack to the trash with its earlier versions, and returns its key there.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] when the pack is not installed.
    pub(crate) fn trash_pack(&self, name: &str, now: u64) -> Result<String> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let pack = require(&transaction, name)?;
        let taken = table::pack::trashed(&transaction)?;
        let taken: Vec<u64> =
            taken.iter().filter_map(|(row, _)| place(row)).map(|place| place.time).collect();
        let time = (now..).find(|time| !taken.contains(time)).unwrap_or(now);
        let mut rows = Vec::new();
        for earlier in table::pack::set_aside(&transaction, &pack.name)? {
            rows.extend(table::pack::find(&transaction, &earlier)?);
        }
        for row in &rows {
            table::pack::trash(&transaction, row.id, &format!("{}#{}~{time}", row.name, row.id))?;
        }
        table::pack::trash(&transaction, pack.id, &format!("{}#{}~{time}", pack.name, pack.id))?;
        if activate_another(&transaction, &pack.name)? {
            let name = format!("{}#{}~{time}{ACTIVE}", pack.name, pack.id);
            table::pack::trash(&transaction, pack.id, &name)?;
        }
        transaction.commit()?;
        Ok(key(&pack.name, time))
    }

    /// Returns the deleted packs, each with its earlier versions as one.
    pub(crate) fn trashed_packs(&self) -> Result<Vec<Trashed>> {
        let rows = table::pack::trashed(&self.lock())?;
        let mut packs: Vec<Trashed> = Vec::new();
        for (row, bytes) in &rows {
            let Some(place) = place(row) else { continue };
            if let Some(pack) = packs.iter_mut().find(|pack| pack.deleted == Some(place.time)) {
                pack.bytes += bytes;
                if place.name.len() < pack.id.len() {
                    (pack.id, pack.key) = (place.name.to_owned(), key(place.name, place.time));
                    pack.name = title(row);
                }
                continue;
            }
            packs.push(Trashed {
                kind: TrashKind::Pack,
                key: key(place.name, place.time),
                id: place.name.to_owned(),
                name: title(row),
                model: None,
                address: None,
                deleted: Some(place.time),
                bytes: *bytes,
            });
        }
        Ok(packs)
    }

    /// Puts a pack back with its earlier versions, and returns its name. A pack that was the active
    /// one is active again.
    pub(crate) fn restore_pack(&self, wanted: &str) -> Result<String> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let rows = of_key(&transaction, wanted)?;
        let mut restored = String::new();
        for row in &rows {
            let Some(place) = place(row) else { continue };
            if table::pack::find(&transaction, place.name)?.is_some() {
                return Err(name_taken(place.name));
            }
            table::pack::untrash(&transaction, row.id, place.name)?;
            if restored.is_empty() || place.name.len() < restored.len() {
                place.name.clone_into(&mut restored);
            }
            if place.is_active {
                table::setting::set(&transaction, ACTIVE_PACK, Some(place.name))?;
            }
        }
        if let Some(row) = table::pack::find(&transaction, &restored)?
            && !is_set_aside(&row)
            && crate::benchmarks::refuse(&row).is_ok()
        {
            activate_first(&transaction, &restored)?;
        }
        transaction.commit()?;
        Ok(restored)
    }

    /// Removes a deleted pack for good, with its earlier versions.
    pub(crate) fn remove_trashed_pack(&self, wanted: &str) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for row in of_key(&transaction, wanted)? {
            table::pack::discard(&transaction, row.id)?;
        }
        Ok(transaction.commit()?)
    }
}

/// Parts of the name of a deleted pack.
struct Place<'a> {
    name: &'a str,
    time: u64,
    is_active: bool,
}

fn place(row: &PackRow) -> Option<Place<'_>> {
    let (name, rest) = row.name.rsplit_once('#')?;
    let (_, time) = rest.split_once('~')?;
    let is_active = time.ends_with(ACTIVE);
    Some(Place { name, time: time.trim_end_matches(ACTIVE).parse().ok()?, is_active })
}

fn key(name: &str, time: u64) -> String {
    format!("{name}~{time}")
}

/// Rows of the pack with this key and of its earlier versions.
fn of_key(connection: &rusqlite::Connection, wanted: &str) -> Result<Vec<PackRow>> {
    let rows = table::pack::trashed(connection)?.into_iter().map(|(row, _)| row);
    let rows: Vec<PackRow> = rows.collect();
    let is_wanted = |place: &Place<'_>| key(place.name, place.time) == wanted;
    let time = rows.iter().filter_map(place).find(is_wanted).map(|place| place.time);
    let time = time.ok_or_else(|| absent(wanted))?;
    Ok(rows.into_iter().filter(|row| place(row).is_some_and(|place| place.time == time)).collect())
}

fn title(row: &PackRow) -> Option<String> {
    manifest(row).ok().map(|manifest| manifest.title).filter(|title| !title.is_empty())
}
