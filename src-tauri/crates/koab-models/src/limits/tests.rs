use super::*;
use crate::LocalUse;
use koab_keys::KeyPlace;

#[test]
fn hosted_servers_may_be_asked_more_once_they_bear_it() {
    for (asked, model, base_url, expected) in [
        (None, "openai/gpt-4o", None, (8, 32)),
        (None, "ollama/qwen3", None, (8, 8)),
        (None, "ollama/qwen3", Some("http://gpu.lab:11434/v1"), (8, 32)),
        (None, "openai_compat/m", Some("http://127.0.0.1:8000/v1"), (8, 8)),
        (None, "openai_compat/m", Some("http://[::1]:8000/v1"), (8, 8)),
        (None, "openai_compat/m", Some("https://u:p@localhost/v1"), (8, 8)),
        (None, "openai_compat/m", Some("https://localhost.evil.example/v1"), (8, 32)),
        (None, "openai/m", Some("http://127.evil.example/v1"), (8, 32)),
        (Some(3), "openai/gpt-4o", None, (3, 3)),
        (Some(64), "ollama/qwen3", None, (64, 64)),
    ] {
        assert_eq!(concurrency(asked, model, base_url), expected, "{model} {base_url:?}");
    }
}

#[test]
fn a_server_has_one_limiter_whoever_asks() {
    let limiters = Limiters::default();
    let of = |server: &str, keys| limiters.limiter(server.to_owned(), keys, 2, 2);
    assert!(Arc::ptr_eq(&of("openai ", 1), &of("openai ", 1)));
    assert!(!Arc::ptr_eq(&of("openai ", 1), &of("openai http://other", 1)));
    assert!(!Arc::ptr_eq(&of("openai ", 1), &of("openai ", 2)), "another key");
    assert_eq!(limiters.limiter("openai ".to_owned(), 1, 9, 9).limit(), 9);
}

#[tokio::test]
async fn a_rotated_key_gets_a_limiter_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let mut seen = Vec::new();
    for key in ["first-key", "first-key", "second-key"] {
        let key = key.to_owned().into();
        let set = models.keys.set("OPENAI_COMPAT_API_KEY", &key, KeyPlace::Session);
        set.await.expect("held");
        let opened = models.open(
            "openai_compat/m",
            Some("http://127.0.0.1:9/v1"),
            None,
            &[],
            LocalUse::default(),
            koab_engine::egress::Purpose::Model,
        );
        let opened = opened.await.expect("opened");
        let model = models.limited(opened, None, Budget::unlimited(None));
        seen.push(Arc::clone(&model.limits().expect("a gate").limiter));
    }
    assert!(Arc::ptr_eq(&seen[0], &seen[1]) && !Arc::ptr_eq(&seen[1], &seen[2]));
}

fn spent(usd: Option<f64>, tokens: u64) -> Spending {
    Spending {
        usage: TokenUsage { total_tokens: tokens, ..TokenUsage::default() },
        usd,
        ..Spending::default()
    }
}

#[test]
fn what_is_left_of_a_cap_is_whole_millionths_and_never_nothing() {
    let caps = SpendingCaps {
        max_cost: Some(1.0),
        max_total_tokens: Some(100),
        max_cost_per_day: Some(2.0),
        max_total_tokens_per_day: Some(200),
    };
    for (cost, left) in [
        (Some(0.0), 1.0),
        (Some(0.25), 0.75),
        // Rounded down: what is left may never be more than it is.
        (Some(0.000_000_4), 0.999_999),
        (Some(0.999_999), 0.000_001),
        (Some(1.0), 0.000_001),
        (Some(5.0), 0.000_001),
        (None, 1.0),
    ] {
        let after = caps.left_after(Some(&spent(cost, 0)));
        let found = after.max_cost.expect("a cap");
        assert!((found - left).abs() < 1e-12, "{cost:?}: {found} for {left}");
    }
    for (tokens, left) in [(0, 100), (99, 1), (100, 0), (101, 0)] {
        let after = caps.left_after(Some(&spent(None, tokens)));
        assert_eq!(after.max_total_tokens, Some(left));
        // The day counts itself.
        assert_eq!((after.max_cost_per_day, after.max_total_tokens_per_day), (Some(2.0), Some(200)));
    }
    assert_eq!(caps.left_after(None), caps);
    let none = SpendingCaps::default();
    assert_eq!(none.left_after(Some(&spent(Some(1.0), 1))), none);
}

#[test]
fn each_of_several_workers_has_its_share_and_begins_with_few() {
    for (of_server, workers, expected) in [
        ((8, 32), 1, (8, 32)),
        ((8, 32), 0, (8, 32)),
        ((8, 32), 2, (2, 16)),
        ((8, 32), 4, (2, 8)),
        ((8, 32), 16, (2, 2)),
        ((8, 32), 17, (1, 1)),
        ((8, 32), 100, (1, 1)),
        ((1, 1), 3, (1, 1)),
    ] {
        assert_eq!(share(of_server, workers), expected, "{of_server:?} by {workers}");
    }
}

#[test]
fn a_cap_must_be_an_amount_and_money_needs_a_price() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let usd = |of_run: Option<f64>, of_day: Option<f64>| SpendingCaps {
        max_cost: of_run,
        max_cost_per_day: of_day,
        ..SpendingCaps::default()
    };
    let check = |model: &str, caps: SpendingCaps| {
        let checked = models.check_caps(&[model.to_owned()], &caps);
        checked.map_err(|error| error.message.to_string())
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for caps in [usd(Some(bad), None), usd(None, Some(bad))] {
            let said = check("azure/gpt-4o", caps).expect_err("no amount");
            assert_eq!(said, "a budget in USD must be an amount above 0");
        }
    }
    assert_eq!(check("azure/gpt-4o", usd(Some(0.000_001), None)), Ok(()));
    let said = check("openai_compat/mine", usd(None, Some(1.0))).expect_err("no price");
    assert!(said.starts_with("the price of openai_compat/mine is not known"), "{said}");
    let tokens = SpendingCaps { max_total_tokens: Some(1), ..SpendingCaps::default() };
    assert_eq!(check("openai_compat/mine", tokens), Ok(()));
    models.price_set("openai_compat/*", Some((0.0, 0.0))).expect("set");
    assert_eq!(check("openai_compat/mine", usd(None, Some(1.0))), Ok(()));
}

#[test]
fn calls_may_cost_unless_the_model_is_here_or_its_price_is_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    models.price_set("openai_compat/free", Some((0.0, 0.0))).expect("set");
    models.price_set("ollama/dear", Some((0.0, 1.0))).expect("set");
    for (model, address, may_cost) in [
        ("baseline/golden", None, false),
        ("local/tiny", None, false),
        ("ollama/qwen", None, false),
        // Its price is nothing in the carried table, wherever it is.
        ("ollama/qwen", Some("http://gpu.lab/v1"), false),
        ("ollama/dear", None, true),
        ("openai_compat/free", Some("http://gpu.lab/v1"), false),
        ("openai_compat/other", Some("http://gpu.lab/v1"), true),
        ("openai_compat/other", Some("http://127.0.0.1:8000/v1"), false),
        ("openai/unheard-of", None, true),
        ("azure/gpt-4o", None, true),
    ] {
        let found = models.may_cost(model, address).expect("read");
        assert_eq!(found, may_cost, "{model} {address:?}");
    }
}

#[test]
fn ids_are_read_by_what_stands_before_their_first_slash() {
    for (id, of, local) in [
        ("openai/gpt", "openai", None),
        ("OpenAI_Compat/a/b", "openai_compat", None),
        (" local/org/tiny ", "local", Some("org/tiny")),
        ("LOCAL/tiny", "local", Some("tiny")),
        ("local/", "local", Some("")),
        ("local", "local", None),
        ("localhost/tiny", "localhost", None),
    ] {
        assert_eq!(provider(id), of, "{id}");
        assert_eq!(crate::local_name(id), local, "{id}");
        assert_eq!(is_local(id), local.is_some(), "{id}");
    }
}

#[tokio::test]
async fn a_baseline_has_no_limiter_and_workers_share_the_server_s() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let open = async |id: &str, address: Option<&str>| {
        let purpose = koab_engine::egress::Purpose::Model;
        let opened = models.open(id, address, None, &[], LocalUse::default(), purpose);
        opened.await.expect("opened")
    };
    let golden = models.limited(open("baseline/golden", None).await, None, Budget::unlimited(None));
    assert!(golden.limits().is_none());
    let at = Some("http://gpu.lab/v1");
    let one = models.limited(open("openai_compat/a", at).await, Some(6), Budget::unlimited(None));
    // A slash at the end is the same server, and another model of it as well.
    let slash = Some("http://gpu.lab/v1/");
    let other = models.limited(open("openai_compat/b", slash).await, Some(6), Budget::unlimited(None));
    let limiter = |model: &Arc<dyn ModelAdapter>| Arc::clone(&model.limits().expect("a gate").limiter);
    assert!(Arc::ptr_eq(&limiter(&one), &limiter(&other)));
    assert_eq!(limiter(&one).limit(), 6);
    let elsewhere = Some("http://other.lab/v1");
    let opened = open("openai_compat/b", elsewhere).await;
    let worker = models.limited_share(opened, Some(6), 3, Budget::unlimited(None));
    assert!(!Arc::ptr_eq(&limiter(&one), &limiter(&worker)));
    assert_eq!(limiter(&worker).limit(), 2, "a third of six");
}

proptest::proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// All workers together never have more calls in flight than the server bears, as long as it bears one each.
    #[test]
    fn workers_together_stay_below_the_ceiling(start in 1u32..64, more in 0u32..64, workers in 1u32..64) {
        let ceiling = start + more;
        let (first, most) = share((start, ceiling), workers);
        proptest::prop_assert!(1 <= first && first <= most);
        if workers <= ceiling {
            proptest::prop_assert!(most * workers <= ceiling);
        }
    }

    /// Sums that are taken out one after the other leave no more than all of them at once.
    #[test]
    fn what_is_left_does_not_grow_by_parts(cap in 1u32..5_000, parts in proptest::collection::vec(0u32..900, 0..8)) {
        let usd = |thousandths: u32| f64::from(thousandths) / 1000.0;
        let caps = SpendingCaps { max_cost: Some(usd(cap)), ..SpendingCaps::default() };
        let by_parts = parts.iter().fold(caps, |caps, part| caps.left_after(Some(&spent(Some(usd(*part)), 0))));
        let left = usd(cap) - usd(parts.iter().sum());
        let found = by_parts.max_cost.expect("a cap");
        // A millionth is lost at most at each of them.
        proptest::prop_assert!(found <= left.max(1e-6) + 1e-9);
        proptest::prop_assert!(found >= left - 1e-6 * (parts.len() as f64 + 1.0));
    }
}
