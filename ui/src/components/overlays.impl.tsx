import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuestion } from "./confirm";
import { IconButton } from "./controls";
import { InMantine } from "./InMantine";
import type { OverlayProps } from "./overlays";
import classes from "./overlays.module.css";

export default function OverlayImpl(props: OverlayProps) {
  return (
    <InMantine>
      <Layer {...props} />
    </InMantine>
  );
}

function Layer({ kind = "modal", opened, onClose, title, above, size, footer, front = false, children }: OverlayProps) {
  const asked = useQuestion() !== undefined;
  const phone = useMediaQuery("(max-width: 767px)", false, { getInitialValueInEffect: false });
  const page = phone && kind === "drawer";
  const head = (
    <div className={page ? classes.pageHead : undefined}>
      {page && (
        <IconButton label="Back" onClick={onClose} className={classes.back ?? ""}>
          <IconArrowLeft size={20} stroke={1.6} />
        </IconButton>
      )}
      {above && <div className={classes.above}>{above}</div>}
      <div className={classes.title}>{title}</div>
    </div>
  );
  const common = {
    opened,
    onClose,
    title: head,
    overlayProps: { backgroundOpacity: 0.35, color: "#0C2022" },
    transitionProps: { duration: 180 },
    closeOnEscape: front || !asked,
    // A full page has Back where pages have it.
    withCloseButton: !page,
    closeButtonProps: { "aria-label": "Close" },
    // Mantine's header would be a banner of the page.
    attributes: { header: { role: "presentation" } },
  };
  const body = (
    <>
      <div className={kind === "drawer" ? classes.scroll : undefined}>{children}</div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </>
  );
  if (kind === "modal")
    return (
      <Modal
        {...common}
        size={size ?? 480}
        fullScreen={false}
        classNames={{ title: classes.titleBox ?? "", content: classes.modal ?? "" }}
      >
        {body}
      </Modal>
    );
  return (
    <Drawer
      {...common}
      size={phone ? "100%" : (size ?? 520)}
      classNames={{ body: classes.drawerBody ?? "", content: classes.drawer ?? "", header: classes.header ?? "" }}
    >
      {body}
    </Drawer>
  );
}
