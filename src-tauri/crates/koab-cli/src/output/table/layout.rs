//! Layout of a table: the columns that fit, and their widths.

use unicode_width::UnicodeWidthStr as _;

/// Number of spaces between two columns.
pub(super) const GAP: usize = 2;

/// Maximum width of cells that are not wrapped, mostly numbers and single words.
const MAX_UNWRAPPED_WIDTH: usize = 14;

/// Minimum width of a prose column while other columns can be dropped. Longer words in the column,
/// such as paths, are broken.
const MIN_PROSE_WIDTH: usize = 20;

/// Minimum width at which a column is still useful.
const MIN_WIDTH: usize = 8;

/// Kind of a column's cells. The kind decides how the column is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name that a user types into other commands. The column is never dropped, and its words are
    /// broken only as a last resort.
    Id,
    /// Numbers and words. They are wrapped at spaces and dropped before a word is broken.
    Value,
    /// A picture made of characters. It is never wrapped but may be dropped.
    Picture,
    /// Sentences. They are wrapped first and dropped after all values.
    Prose,
}

/// Widths of a column for the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    kind: Kind,
    /// Width without wrapping.
    whole: usize,
    /// Width with as much wrapping as the kind allows.
    least: usize,
}

impl Measure {
    /// Measures a column from its cells, including its heading.
    pub(super) fn new<'a>(kind: Kind, cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut whole, mut least) = (0, 0);
        for cell in cells {
            let width = cell.width();
            whole = whole.max(width);
            least = least.max(width.min(longest_word(cell).max(MAX_UNWRAPPED_WIDTH)));
        }
        Self {
            kind,
            whole,
            least: match kind {
                Kind::Picture => whole,
                Kind::Prose => least.min(MIN_PROSE_WIDTH),
                Kind::Id | Kind::Value => least,
            },
        }
    }
}

/// Returns the width of each column; `None` for dropped columns.
///
/// The columns at the places in `spare` are dropped first, in this order. Then values are dropped
/// from the right, and at last prose from the right.
pub(super) fn widths(columns: &[Measure], spare: &[usize], room: usize) -> Vec<Option<usize>> {
    let mut visible = vec![true; columns.len()];
    let of_kind = |wanted: fn(Kind) -> bool| {
        let places = (0..columns.len()).rev();
        places.filter(move |place| wanted(columns[*place].kind))
    };
    let values = of_kind(|kind| matches!(kind, Kind::Value | Kind::Picture));
    let prose = of_kind(|kind| kind == Kind::Prose);
    for place in spare.iter().copied().chain(values).chain(prose) {
        if taken(columns, &visible, |one| one.least) <= room {
            break;
        }
        visible[place] = false;
    }
    let mut least: Vec<usize> = columns.iter().map(|one| one.least).collect();
    if taken(columns, &visible, |one| one.least) > room {
        // Only names remain, and they are wider than the line. Each gets its share.
        let count = visible.iter().filter(|visible| **visible).count().max(1);
        let share = (room + GAP) / count;
        let share = share.saturating_sub(GAP).max(MIN_WIDTH);
        least.iter_mut().for_each(|least| *least = share.min(*least));
    }
    let mut spent: usize = taken_by(&visible, &least);
    // The remaining width goes first to the columns that need least, so that as few cells as
    // possible are wrapped.
    let mut order: Vec<usize> = (0..columns.len()).filter(|place| visible[*place]).collect();
    order.sort_by_key(|place| columns[*place].whole.saturating_sub(least[*place]));
    let count = order.len();
    let mut widths = vec![None; columns.len()];
    for (done, place) in order.into_iter().enumerate() {
        let share = room.saturating_sub(spent) / (count - done);
        let more = columns[place].whole.saturating_sub(least[place]).min(share);
        spent += more;
        widths[place] = Some(least[place] + more);
    }
    widths
}

fn taken(columns: &[Measure], visible: &[bool], width: impl Fn(&Measure) -> usize) -> usize {
    let widths: Vec<usize> = columns.iter().map(width).collect();
    taken_by(visible, &widths)
}

/// Total width of the visible columns with the gaps between them.
fn taken_by(visible: &[bool], widths: &[usize]) -> usize {
    let visible = widths.iter().zip(visible).filter(|(_, visible)| **visible);
    let taken: usize = visible.map(|(width, _)| width + GAP).sum();
    taken.saturating_sub(GAP)
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(|word| word.width()).max().unwrap_or(0)
}
