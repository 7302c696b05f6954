//! Certificates of the tests.

use std::sync::{Arc, LazyLock};

use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// A certificate for 127.0.0.1 that only those trust who are told to.
static CERTIFIED: LazyLock<rcgen::CertifiedKey<rcgen::KeyPair>> =
    LazyLock::new(|| rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate"));

pub(crate) fn acceptor() -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(CERTIFIED.signing_key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![CERTIFIED.cert.der().clone()], key)
        .expect("a server");
    TlsAcceptor::from(Arc::new(config))
}

/// The certificate as a file of those to trust.
pub(crate) fn pem() -> String {
    CERTIFIED.cert.pem()
}
