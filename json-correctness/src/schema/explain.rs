//! Why a schema refuses a document.
