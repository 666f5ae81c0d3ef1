//! Templates come from strangers: none may hang the program, fill its memory or overflow its stack.

use crate::text::conversations::{tokens, user};
use koab_local::chat_template::{ChatTemplate, TemplateError};

#[track_caller]
fn stopped(source: &str) {
    let error = ChatTemplate::new(source, &tokens()).unwrap_err();
    assert!(matches!(error, TemplateError::TooMuch { .. }), "{error}");
}

/// Not stopped by a limit of this program's, but an error all the same.
#[track_caller]
fn refused(source: &str) {
    ChatTemplate::new(source, &tokens()).unwrap_err();
}

const LOOP: &str = "{% for i in range(64) %}";

#[test]
fn loops_without_end_are_stopped() {
    stopped("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}");
    stopped(
        "{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{% for i in range(99999) %}{% set x = i %}{% for j in range(99999) %}{% set y = j %}{% endfor %}{% endfor %}",
    );
}

#[test]
fn texts_that_double_are_stopped() {
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set ns.t = ns.t ~ ns.t %}}{{% endfor %}}"
    ));
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set ns.t = ns.t + ns.t %}}{{% endfor %}}"
    ));
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set ns.t = ns.t * 16 %}}{{% endfor %}}"
    ));
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set c %}}{{{{ ns.t }}}}{{{{ ns.t }}}}{{% endset %}}{{% set ns.t = c %}}{{% endfor %}}"
    ));
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set ns.t = ns.t | replace('x', 'xx') %}}{{% endfor %}}"
    ));
    stopped(&format!(
        "{{% set ns = namespace(t='xxxxxxxx') %}}{LOOP}{{% set ns.t = ns.t.join([ns.t, ns.t]) %}}{{% endfor %}}"
    ));
    // Straight on, without any loop.
    let mut straight = "{% set t = 'xxxxxxxx' %}".to_owned();
    straight.push_str(&"{% set t = t ~ t %}".repeat(60));
    stopped(&straight);
}

#[test]
fn products_are_not_computed_before_they_are_paid_for() {
    let products = vec!["('x' * 99999999)"; 200].join(" ~ ");
    stopped(&format!("{{{{ {products} }}}}"));
}

#[test]
fn long_raw_text_in_a_loop_is_stopped() {
    let text = "x".repeat(100_000);
    stopped(&format!("{{% for i in range(99999) %}}{text}{{% endfor %}}"));
    stopped(&format!("{{% set c %}}{{% for i in range(99999) %}}{text}{{% endfor %}}{{% endset %}}"));
}

#[test]
fn lists_that_grow_are_stopped() {
    stopped(&format!("{{% set ns = namespace(l=[1]) %}}{LOOP}{{% set ns.l = ns.l + ns.l %}}{{% endfor %}}"));
    // A value that holds itself twice, sixty deep, is small until somebody walks through it.
    stopped(&format!(
        "{{% set ns = namespace(l=[1]) %}}{LOOP}{{% set ns.l = [ns.l, ns.l] %}}{{% endfor %}}{{{{ ns.l | tojson }}}}"
    ));
    stopped("{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = [ns.l] %}{% endfor %}");
    stopped(
        "{% set ns = namespace(l=1) %}{% for i in range(99999) %}{% set ns.l = namespace(l=ns.l) %}{% endfor %}",
    );
    stopped("{% set ns = namespace() %}{% set ns.me = ns %}{{ ns | tojson }}");
    stopped("{% set l = range(99999) | list %}{% for i in range(99999) %}{% set k = l[1:] %}{% endfor %}");
}

#[test]
fn wide_formats_are_refused() {
    refused("{{ '{:999999999}'.format('x') }}");
    refused("{{ '{:{}}'.format('x', 999999999) }}");
    refused("{{ 'x' | indent(999999999, true) }}");
    refused("{{ 'x' | indent(width=999999999, first=true) }}");
    refused("{{ '%999999999d' | format(1) }}");
    refused("{{ ['x' , 'y'] | sum(start='') }}");
}

#[test]
fn deep_sources_do_not_overflow_the_stack() {
    let chain = vec!["'x'"; 80_000].join("~");
    stopped(&format!("{{{{ {chain} }}}}"));
    let chain = vec!["x"; 1_000].join("~");
    ChatTemplate::new(&format!("{{% set x = messages[0].content %}}{{{{ {chain} }}}}"), &tokens()).unwrap();
    refused(&format!("{{{{ {}1{} }}}}", "(".repeat(2_000), ")".repeat(2_000)));
    refused(&format!("{{{{ {}1 }}}}", "not ".repeat(100_000)));
    refused(&format!("{}{}", "{% if 1 %}".repeat(8_000), "{% endif %}".repeat(8_000)));
    stopped(&format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(16_000)));
    refused("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}");
}

#[test]
fn a_source_that_is_too_long_is_not_read() {
    let error = ChatTemplate::new(&"x".repeat(1 << 20), &tokens()).unwrap_err();
    insta::assert_snapshot!(error, @"the chat template was stopped because it is longer than 256 KiB");
}

#[test]
fn an_honest_template_renders_a_long_conversation() {
    let source = "{% set ns = namespace(seen=[]) %}{% for m in messages %}{% set ns.seen = ns.seen + [m.role] %}\
                  {% if messages | selectattr('role', 'equalto', 'user') | list | length > 0 %}{{ m.content | trim }}\n{% endif %}{% endfor %}";
    let template = ChatTemplate::new(source, &tokens()).unwrap();
    let turns: Vec<_> = (0..400).map(|_| user(&"긴 이야기 ".repeat(200))).collect();
    let prompt = template.render(&turns, &[]).unwrap();
    assert_eq!(prompt.lines().count(), 400);
}
