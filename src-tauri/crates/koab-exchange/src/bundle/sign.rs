//! Signatures over a manifest in minisign's format, so that `minisign -Vm koab.json` checks them
//! without this program.
//!
//! The first signature is Ed25519 over the manifest's bytes (minisign's legacy format without a
//! prehash, since manifests are small). The second covers the first signature and the trusted
//! comment. The untrusted comment contains the public key, so that a recipient sees who signed. The
//! key's id is the start of the key's hash.

use aws_lc_rs::encoding::{AsBigEndian, Curve25519SeedBin};
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_workspace::WireError;
use sha2::{Digest as _, Sha256};

/// Algorithm bytes at the start of minisign's public keys and signatures.
const ALGORITHM: &[u8; 2] = b"Ed";
const UNTRUSTED: &str = "untrusted comment: signed by the koab key ";
const TRUSTED: &str = "trusted comment: ";
const COMMENT: &str = "manifest of a koab bundle";

/// A private key in the form that is stored: Base64.
type Secret = Sensitive<String>;

/// Signs manifests with a private key.
pub(super) struct Signer(Ed25519KeyPair);

/// A public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PublicKey([u8; 32]);

impl Signer {
    /// Generates a key pair. Returns it with the stored form of its private key.
    pub(super) fn make() -> Result<(Self, Secret), WireError> {
        let pair = Ed25519KeyPair::generate().map_err(WireError::internal)?;
        let seed = pair.seed().map_err(WireError::internal)?;
        let seed: Curve25519SeedBin<'_> = AsBigEndian::as_be_bytes(&seed).map_err(WireError::internal)?;
        let secret = Sensitive::new(BASE64.encode(seed.as_ref()));
        Ok((Self(pair), secret))
    }

    /// Reads a private key from the form that is stored.
    pub(super) fn read(secret: &Secret) -> Result<Self, WireError> {
        let seed = BASE64.decode(secret.expose().trim()).unwrap_or_default();
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed);
        pair.map(Self).map_err(|_| {
            let why = say!("KOAB_SIGNING_KEY is not a key to sign with; delete it with `koab keys delete KOAB_SIGNING_KEY` and make one with `koab submit key`");
            WireError::bad_file(why)
        })
    }

    /// Public key in minisign's format.
    pub(super) fn public_key(&self) -> String {
        self.public().text()
    }

    fn public(&self) -> PublicKey {
        let mut key = [0; 32];
        key.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(key)
    }

    /// Signature of a text in minisign's format. The same text always gets the same signature.
    pub(super) fn sign(&self, text: &[u8]) -> String {
        let signature = self.0.sign(text);
        let mut first = [ALGORITHM.as_slice(), &self.public().id()].concat();
        first.extend_from_slice(signature.as_ref());
        let second = self.0.sign(&[signature.as_ref(), COMMENT.as_bytes()].concat());
        format!(
            "{UNTRUSTED}{}\n{}\n{TRUSTED}{COMMENT}\n{}\n",
            self.public_key(),
            BASE64.encode(first),
            BASE64.encode(second.as_ref())
        )
    }
}

impl PublicKey {
    /// Reads a public key in minisign's format: one line of Base64, with or without the comment
    /// line above.
    pub(super) fn read(text: &str) -> Option<Self> {
        let line = text.trim().lines().last()?.trim();
        let bytes = BASE64.decode(line).ok()?;
        let key: [u8; 32] = bytes.strip_prefix(ALGORITHM)?.get(8..)?.try_into().ok()?;
        Some(Self(key))
    }

    /// The key in minisign's format: one line of Base64.
    pub(super) fn text(self) -> String {
        BASE64.encode([ALGORITHM.as_slice(), &self.id(), &self.0].concat())
    }

    fn id(self) -> [u8; 8] {
        let mut id = [0; 8];
        id.copy_from_slice(&Sha256::digest(self.0)[..8]);
        id
    }

    fn has_signed(self, text: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0).verify(text, signature).is_ok()
    }
}

/// Returns the public key that made `signature` over `text`; `None` if the signature is not valid
/// for the text.
pub(super) fn signer(signature: &[u8], text: &[u8]) -> Option<PublicKey> {
    let words = std::str::from_utf8(signature).ok()?;
    let lines: Vec<&str> = words.strip_suffix('\n')?.split('\n').collect();
    let [untrusted, first, trusted, second] = lines[..] else {
        return None;
    };
    let key = PublicKey::read(untrusted.strip_prefix(UNTRUSTED)?)?;
    let comment = trusted.strip_prefix(TRUSTED)?;
    let first = BASE64.decode(first).ok()?;
    let of_text = first.strip_prefix(ALGORITHM)?.strip_prefix(&key.id())?;
    let of_comment = BASE64.decode(second).ok()?;
    let signed = key.has_signed(text, of_text)
        && key.has_signed(&[of_text, comment.as_bytes()].concat(), &of_comment)
        && comment == COMMENT;
    signed.then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_names_its_key_and_is_of_one_text_alone() {
        let (made, kept) = Signer::make().unwrap();
        let again = Signer::read(&kept).unwrap();
        assert_eq!(made.public_key(), again.public_key());
        let (signature, key) = (made.sign(b"text"), PublicKey::read(&made.public_key()).unwrap());
        assert_eq!(signature, again.sign(b"text"), "the same text is signed the same way");
        assert_eq!(signer(signature.as_bytes(), b"text"), Some(key));
        assert_eq!(signer(signature.as_bytes(), b"texts"), None);
        let (other, _) = Signer::make().unwrap();
        // Another key put into the comment has not signed it.
        let forged = signature.replace(&made.public_key(), &other.public_key());
        assert_eq!(signer(forged.as_bytes(), b"text"), None);
        assert_eq!(signer(signature.replace("koab bundle", "kaob bundle").as_bytes(), b"text"), None);
        assert_eq!(signer(b"", b"text"), None);
        assert!(Signer::read(&Sensitive::new("short".to_owned())).is_err());
    }

    /// Signature that minisign 0.11 made (`minisign -S -l -c "signed by the koab key …" -t
    /// "manifest of a koab bundle"`), with the bytes 0 to 31 as the secret key and the text of the
    /// test below. `minisign -V` accepts it.
    const BY_MINISIGN: &str = "\
untrusted comment: signed by the koab key RWRWR1qnVGNHTAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4
RWRWR1qnVGNHTMxJ52BgcaUGZBtgLXZr5zcBd/iXe3wM5Kqs7XAkFHDbl351j0oYZHLEXt1OaTYLe6Ymj6nRpX2BgTM16bsJmgQ=
trusted comment: manifest of a koab bundle
frjyneNZoci9u7ctxvoHMKkClpjZBInuryzusVVPqK80Kductfw6la11H9eIgVWq3KHjdbTziSi+uNvvslAhCg==
";

    #[test]
    fn a_signature_is_byte_for_byte_what_minisign_makes_with_the_same_key() {
        let text = b"{\"form\": 1}\n";
        let bytes: Vec<u8> = (0..32).collect();
        let ours = Signer::read(&Sensitive::new(BASE64.encode(bytes))).unwrap();
        assert_eq!(ours.sign(text), BY_MINISIGN);
        assert_eq!(signer(BY_MINISIGN.as_bytes(), text).map(PublicKey::text), Some(ours.public_key()));
    }

    #[test]
    fn a_public_key_is_read_with_and_without_its_comment() {
        let (made, _) = Signer::make().unwrap();
        let line = made.public_key();
        assert_eq!(line.len(), 56);
        assert!(line.starts_with("RW"), "as every public key of minisign does");
        let file = format!("untrusted comment: minisign public key\n{line}\n");
        assert_eq!(PublicKey::read(&file), PublicKey::read(&line));
        assert_eq!(PublicKey::read("RWQ"), None);
    }
}
