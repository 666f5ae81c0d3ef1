//! Which columns of a table there is room for, and how wide each is.

use unicode_width::UnicodeWidthStr as _;

/// Columns of space between two columns.
pub(super) const GAP: usize = 2;

/// Cells up to this width, which are mostly numbers and single words, go on in no second line.
const SHORT: usize = 14;

/// Prose gets no column narrower than this as long as there are others to leave out; longer words
/// of it, such as paths, are broken.
const PROSE: usize = 20;

/// Below this no column helps anybody.
const NARROWEST: usize = 8;

/// What a column holds, which decides how it gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What a user types again: never left out, and its words are broken when nothing else is left
    /// to give way.
    Id,
    /// Numbers and words: folded at blanks, left out before a word is broken.
    Value,
    /// A picture made of letters: in one piece or left out.
    Picture,
    /// Sentences: folded first, left out after all values.
    Prose,
}

/// A column as the layout sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    kind: Kind,
    /// Where nothing is folded.
    whole: usize,
    /// Where everything is folded that may be.
    least: usize,
}

impl Measure {
    /// That of a column with these cells, its heading among them.
    pub(super) fn new<'a>(kind: Kind, cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut whole, mut least) = (0, 0);
        for cell in cells {
            let width = cell.width();
            whole = whole.max(width);
            least = least.max(width.min(longest_word(cell).max(SHORT)));
        }
        Self {
            kind,
            whole,
            least: match kind {
                Kind::Picture => whole,
                Kind::Prose => least.min(PROSE),
                Kind::Id | Kind::Value => least,
            },
        }
    }
}

/// The width of each column, `None` of those that are left out: first those at the places `spare`,
/// in that order, then the values from the right, then prose from the right.
pub(super) fn widths(columns: &[Measure], spare: &[usize], room: usize) -> Vec<Option<usize>> {
    let mut shown = vec![true; columns.len()];
    let of_kind = |wanted: fn(Kind) -> bool| {
        let places = (0..columns.len()).rev();
        places.filter(move |place| wanted(columns[*place].kind))
    };
    let values = of_kind(|kind| matches!(kind, Kind::Value | Kind::Picture));
    let prose = of_kind(|kind| kind == Kind::Prose);
    for place in spare.iter().copied().chain(values).chain(prose) {
        if taken(columns, &shown, |one| one.least) <= room {
            break;
        }
        shown[place] = false;
    }
    let mut least: Vec<usize> = columns.iter().map(|one| one.least).collect();
    if taken(columns, &shown, |one| one.least) > room {
        // Nothing but names, longer than the line: each gets its share.
        let count = shown.iter().filter(|shown| **shown).count().max(1);
        let share = (room + GAP) / count;
        let share = share.saturating_sub(GAP).max(NARROWEST);
        least.iter_mut().for_each(|least| *least = share.min(*least));
    }
    let mut spent: usize = taken_by(&shown, &least);
    // What is left goes to those who need least first, so that as few cells as can be are folded.
    let mut order: Vec<usize> = (0..columns.len()).filter(|place| shown[*place]).collect();
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

fn taken(columns: &[Measure], shown: &[bool], width: impl Fn(&Measure) -> usize) -> usize {
    let widths: Vec<usize> = columns.iter().map(width).collect();
    taken_by(shown, &widths)
}

/// What the columns that are shown take with the gaps between them.
fn taken_by(shown: &[bool], widths: &[usize]) -> usize {
    let shown = widths.iter().zip(shown).filter(|(_, shown)| **shown);
    let taken: usize = shown.map(|(width, _)| width + GAP).sum();
    taken.saturating_sub(GAP)
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(|word| word.width()).max().unwrap_or(0)
}
