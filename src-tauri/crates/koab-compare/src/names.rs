//! Names of reports that are shown side by side.

use std::collections::HashMap;

/// Names of reports for display side by side, from pairs of model and report id. The name is the
/// model, or the id if the model is empty or belongs to several reports.
pub(crate) fn side_by_side(reports: &[(&str, &str)]) -> Vec<String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for (model, _) in reports {
        *times.entry(model).or_default() += 1;
    }
    let name = |(model, id): &(&str, &str)| match (*model, times[*model]) {
        ("", _) => (*id).to_owned(),
        (model, 1) => model.to_owned(),
        _ => (*id).to_owned(),
    };
    reports.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn a_model_names_the_one_report_of_it_and_ids_name_the_others() {
        for (reports, names) in [
            (vec![("a", "a_1"), ("b", "b_1")], vec!["a", "b"]),
            (vec![("a", "a_1"), ("b", "b_1"), ("a", "a_2")], vec!["a_1", "b", "a_2"]),
            (vec![("", "x_1"), ("a", "a_1")], vec!["x_1", "a"]),
            (vec![], vec![]),
        ] {
            assert_eq!(side_by_side(&reports), names);
        }
    }
}
