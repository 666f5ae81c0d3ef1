use super::header_secrets;

#[test]
fn each_value_of_a_header_is_a_secret_by_itself() {
    for (header, secret) in [
        ("Cookie: sid=S3CRET-7; lang=ko", "S3CRET-7"),
        ("Authorization: Bearer S3CRET-7=", "S3CRET-7="),
        ("X-Keys: S3CRET-7, other", "S3CRET-7"),
        ("S3CRET-7", "S3CRET-7"),
    ] {
        let found = header_secrets(header);
        assert!(found.iter().any(|one| one == secret), "{header}: {found:?}");
        assert!(!found.iter().any(|one| one == "Bearer" || one == "Cookie:"), "{found:?}");
    }
}
