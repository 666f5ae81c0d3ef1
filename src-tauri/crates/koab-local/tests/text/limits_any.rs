//! Templates at random: each ends in a prompt or in a sentence, and none takes the program with it.

use crate::text::conversations::{talk, tokens, tools};
use koab_local::chat_template::ChatTemplate;
use proptest::prelude::*;

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "-3",
        "1.5",
        "'a'",
        "''",
        "messages",
        "messages[0].content",
        "tools",
        "none",
        "true",
        "nothing",
        "range(5)",
        "ns",
        "ns.x",
        "ns.l",
        "x",
        "m",
        "loop",
        "loop.index",
        "[1, 2]",
        "{'a': 1}",
        "namespace(x=1)",
        "dict(a=1)",
        "f",
    ])
    .prop_map(str::to_owned);
    let operators =
        ["+", "~", "*", "-", "/", "//", "%", "**", "==", "!=", "<", ">=", "in", "not in", "and", "or"];
    let after = [
        " | length",
        " | tojson",
        " | tojson(indent=2)",
        " | join",
        " | join(', ')",
        " | list",
        " | first",
        " | last",
        " | string",
        " | upper",
        " | map(attribute='role')",
        " | map('upper')",
        " | selectattr('role')",
        " | sort",
        " | unique",
        " | items",
        " | dictsort",
        " | replace('a', 'bb')",
        " | indent(3)",
        " | trim",
        " | int",
        " | float",
        " | round",
        " | reverse",
        " | groupby('role')",
        " | sum",
        " | min",
        " | default(1)",
        " | attr('a')",
        " | escape",
        " is string",
        " is mapping",
        " is iterable",
        " is defined",
        " is eq 1",
        "[0]",
        "[-1]",
        "[1:]",
        "[::-1]",
        "[::0]",
        "['a']",
        ".content",
        ".items()",
        ".strip()",
        ".split('a')",
        ".split('')",
        ".splitlines()",
        ".replace('', 'xx')",
        ".join(messages)",
        ".format(1)",
        ".get('a')",
        ".keys()",
        "()",
        "('a', b=2)",
        "(*ns.l)",
    ];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(operators.to_vec()), inner.clone())
                .prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            (inner.clone(), prop::sample::select(after.to_vec()))
                .prop_map(|(a, after)| format!("({a}{after})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} if {b} else {c})")),
            prop::collection::vec(inner, 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let around = |before: &'static str, after: &'static str| move |e: String| format!("{before}{e}{after}");
    let leaf = prop_oneof![
        expression().prop_map(around("{{ ", " }}")),
        expression().prop_map(around("{% set ns.x = ", " %}")),
        expression().prop_map(around("{% set ns.l = ", " %}")),
        expression().prop_map(around("{% set x = ", " %}")),
        Just("text \n  ".to_owned()),
    ];
    let blocks = [
        ("{% set x %}", "{% endset %}"),
        ("{% macro f(a, b=1) %}", "{{ caller() if caller }}{% endmacro %}{{ f(1) }}"),
        ("{% call f(1) %}", "{% endcall %}"),
        ("{% filter upper %}", "{% endfilter %}"),
        ("{% block z %}", "{% endblock %}"),
        ("{% generation %}", "{% endgeneration %}"),
    ];
    leaf.prop_recursive(3, 20, 4, move |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|statements| statements.concat());
        prop_oneof![
            (expression(), body.clone()).prop_map(|(e, b)| format!("{{% for m in {e} %}}{b}{{% endfor %}}")),
            (expression(), body.clone()).prop_map(|(e, b)| format!(
                "{{% for m in {e} recursive %}}{b}{{{{ loop(m) }}}}{{% endfor %}}"
            )),
            (expression(), body.clone())
                .prop_map(|(e, b)| format!("{{% if {e} %}}{b}{{% else %}}no{{% endif %}}")),
            (prop::sample::select(blocks.to_vec()), body)
                .prop_map(|((open, close), b)| format!("{open}{b}{close}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn any_template_ends(statements in prop::collection::vec(statement(), 1..6)) {
        let source = format!(
            "{{% set ns = namespace(x='a', l=[1]) %}}{}{{{{ messages[-1].content }}}}",
            statements.concat()
        );
        let ended = ChatTemplate::new(&source, &tokens()).and_then(|template| template.render(&talk(), &tools()));
        if let Err(error) = ended {
            prop_assert!(!error.to_string().contains("the template engine stopped"), "{}", source);
        }
    }
}
